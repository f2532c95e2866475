/**
 * Names and shapes of the weights of DINO.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import { addPair } from "../dinov2/tensor_shapes.ts";
import type { DinoConfig } from "./config.ts";

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
