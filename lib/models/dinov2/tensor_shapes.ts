/**
 * Names and shapes of the weights of DINOv2.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { DinoV2Config } from "./config.ts";

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
