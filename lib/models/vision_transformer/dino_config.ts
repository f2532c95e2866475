/**
 * What a DINO network looks like: its sizes, how they are read from its tensors, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import { headsOf, type TensorCensus } from "../vision/network_sizes.ts";
import { addPair } from "./dinov2_config.ts";

/** Widths and depths of a DINO vision transformer (Caron et al. 2021). */
export interface DinoConfig {
  /** Channels per token. */
  readonly dim: number;
  readonly depth: number;
  readonly heads: number;
  /** Width of the hidden layer of a block. */
  readonly hidden: number;
  /** Pixels on the side of a patch. */
  readonly patch: number;
  /** Patches on the side of the square that the position table was trained on. */
  readonly grid: number;
  /** Width of the vector that shifts and scales the norms, where the network has one. */
  readonly condition?: number | undefined;
}

/** Floor of the variance in every norm of DINO. */
export const DINO_EPS = 1e-12;

/** Reads the sizes of the encoder below `prefix`. */
export function readDinoConfig(
  census: TensorCensus,
  prefix: string,
  heads: number | undefined,
  problems: string[],
): DinoConfig {
  const dim = census.size(`${prefix}embeddings.cls_token`, 2);
  const modulation = `${prefix}encoder.layer.0.adaLN_modulation.1.weight`;
  return {
    dim,
    depth: census.layers(`${prefix}encoder.layer.{i}.layernorm_before.weight`),
    heads: headsOf("heads", dim, heads, problems),
    hidden: census.size(`${prefix}encoder.layer.0.intermediate.dense.weight`, 0),
    patch: census.size(`${prefix}embeddings.patch_embeddings.projection.weight`, 2),
    grid: census.gridSide(`${prefix}embeddings.position_embeddings`),
    ...(census.has(modulation) && { condition: census.size(modulation, 1) }),
  };
}

/** Adds the weights below `prefix`, by the names of the transformers library. */
export function addDinoShapes(shapes: Map<string, Shape>, prefix: string, c: DinoConfig): void {
  const linear = (name: string, output: number, input: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input], output);
  const vector = (name: string) => addPair(shapes, `${prefix}${name}`, [c.dim], c.dim);
  shapes.set(`${prefix}embeddings.cls_token`, [1, 1, c.dim]);
  shapes.set(`${prefix}embeddings.position_embeddings`, [1, 1 + c.grid * c.grid, c.dim]);
  addPair(shapes, `${prefix}embeddings.patch_embeddings.projection`, [c.dim, 3, c.patch, c.patch], c.dim);
  for (let i = 0; i < c.depth; i++) {
    const layer = `encoder.layer.${i}`;
    for (const name of ["query", "key", "value"]) linear(`${layer}.attention.attention.${name}`, c.dim, c.dim);
    linear(`${layer}.attention.output.dense`, c.dim, c.dim);
    linear(`${layer}.intermediate.dense`, c.hidden, c.dim);
    linear(`${layer}.output.dense`, c.dim, c.hidden);
    vector(`${layer}.layernorm_before`);
    vector(`${layer}.layernorm_after`);
    if (c.condition !== undefined) linear(`${layer}.adaLN_modulation.1`, 4 * c.dim, c.condition);
  }
  vector("layernorm");
}
