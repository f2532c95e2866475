/**
 * What a DINOv2 network looks like: its sizes, how they are read from its tensors, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import { headsOf, type TensorCensus } from "../vision/network_sizes.ts";

/** Widths and depths of a DINOv2 vision transformer (Oquab et al. 2023). */
export interface DinoV2Config {
  /** Channels per token. */
  readonly dim: number;
  /** Number of blocks. */
  readonly depth: number;
  /** Attention heads of a block. */
  readonly heads: number;
  /** Width of the hidden layer of a block. */
  readonly hidden: number;
  /** Pixels on the side of a patch. */
  readonly patch: number;
  /** Patches on the side of the square that the position table was trained on. */
  readonly grid: number;
}

/** Rows and columns of patches. */
export interface PatchGrid {
  readonly rows: number;
  readonly columns: number;
}

/** Floor of the variance in every norm of DINOv2. */
export const DINOV2_EPS = 1e-6;

/** Reads the sizes of the backbone below `prefix`. */
export function readDinoV2Config(
  census: TensorCensus,
  prefix: string,
  heads: number | undefined,
  problems: string[],
): DinoV2Config {
  const dim = census.size(`${prefix}cls_token`, 2);
  return {
    dim,
    depth: census.layers(`${prefix}blocks.{i}.norm1.weight`),
    heads: headsOf("heads", dim, heads, problems),
    hidden: census.size(`${prefix}blocks.0.mlp.fc1.weight`, 0),
    patch: census.size(`${prefix}patch_embed.proj.weight`, 2),
    grid: census.gridSide(`${prefix}pos_embed`),
  };
}

/** Four blocks at equal distances, the last one among them; adds to `problems` when there are too few. */
export function fourBlocks(depth: number, problems: string[]): number[] {
  if (depth < 4) problems.push(`the backbone has ${depth} blocks, expected 4 or more`);
  return [1, 2, 3, 4].map((i) => Math.round(i * depth / 4) - 1);
}

/** Adds the weights of a backbone below `prefix`. */
export function addDinoV2Shapes(shapes: Map<string, Shape>, prefix: string, c: DinoV2Config): void {
  shapes.set(`${prefix}cls_token`, [1, 1, c.dim]);
  shapes.set(`${prefix}pos_embed`, [1, 1 + c.grid * c.grid, c.dim]);
  shapes.set(`${prefix}patch_embed.proj.weight`, [c.dim, 3, c.patch, c.patch]);
  shapes.set(`${prefix}patch_embed.proj.bias`, [c.dim]);
  for (let i = 0; i < c.depth; i++) addVisionBlockShapes(shapes, `${prefix}blocks.${i}.`, c.dim, c.hidden);
  addPair(shapes, `${prefix}norm`, [c.dim], c.dim);
}

/** Adds the weights of one block below `prefix`. */
export function addVisionBlockShapes(shapes: Map<string, Shape>, prefix: string, dim: number, hidden: number): void {
  addPair(shapes, `${prefix}norm1`, [dim], dim);
  addPair(shapes, `${prefix}attn.qkv`, [3 * dim, dim], 3 * dim);
  addPair(shapes, `${prefix}attn.proj`, [dim, dim], dim);
  shapes.set(`${prefix}ls1.gamma`, [dim]);
  addPair(shapes, `${prefix}norm2`, [dim], dim);
  addPair(shapes, `${prefix}mlp.fc1`, [hidden, dim], hidden);
  addPair(shapes, `${prefix}mlp.fc2`, [dim, hidden], dim);
  shapes.set(`${prefix}ls2.gamma`, [dim]);
}

/** Adds a weight and its bias. */
export function addPair(shapes: Map<string, Shape>, name: string, weight: Shape, bias: number): void {
  shapes.set(`${name}.weight`, weight);
  shapes.set(`${name}.bias`, [bias]);
}
