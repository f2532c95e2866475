/**
 * Names and shapes of the weights of InstantMesh's reconstruction.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { addDinoShapes } from "../vision_transformer/dino_config.ts";
import { addPair } from "../vision_transformer/dinov2_config.ts";
import { CAMERA_NUMBERS, type InstantMeshConfig } from "./config.ts";

/** What stands before every name in the published file. */
export const INSTANTMESH_PREFIX = "lrm_generator.";

/** Weights by the names of the published checkpoint, behind `prefix`; without those of the upstream iso-surface. */
export function instantMeshShapes(c: InstantMeshConfig, prefix: string = INSTANTMESH_PREFIX): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input], output);
  const vector = (name: string) => addPair(shapes, `${prefix}${name}`, [c.width], c.width);
  const matrix = (name: string, output: number, input: number) => shapes.set(`${prefix}${name}`, [output, input]);

  addDinoShapes(shapes, `${prefix}encoder.model.`, c.encoder);
  linear("encoder.camera_embedder.0", c.encoder.dim, CAMERA_NUMBERS);
  linear("encoder.camera_embedder.2", c.encoder.dim, c.encoder.dim);
  shapes.set(`${prefix}transformer.pos_embed`, [1, 3 * c.planeTokens * c.planeTokens, c.width]);
  for (let i = 0; i < c.depth; i++) {
    const layer = `transformer.layers.${i}`;
    for (const name of ["norm1", "norm2", "norm3"]) vector(`${layer}.${name}`);
    matrix(`${layer}.cross_attn.q_proj_weight`, c.width, c.width);
    matrix(`${layer}.cross_attn.k_proj_weight`, c.width, c.encoder.dim);
    matrix(`${layer}.cross_attn.v_proj_weight`, c.width, c.encoder.dim);
    matrix(`${layer}.cross_attn.out_proj.weight`, c.width, c.width);
    matrix(`${layer}.self_attn.in_proj_weight`, 3 * c.width, c.width);
    matrix(`${layer}.self_attn.out_proj.weight`, c.width, c.width);
    linear(`${layer}.mlp.0`, 4 * c.width, c.width);
    linear(`${layer}.mlp.3`, c.width, 4 * c.width);
  }
  vector("transformer.norm");
  addPair(shapes, `${prefix}transformer.deconv`, [c.width, c.planeChannels, 2, 2], c.planeChannels);
  for (const [name, outputs] of [["net_sdf", 1], ["net_rgb", 3], ["net_deformation", 3]] as const) {
    const net = `synthesizer.decoder.${name}`;
    linear(`${net}.0`, c.hidden, 3 * c.planeChannels);
    linear(`${net}.2`, c.hidden, c.hidden);
    linear(`${net}.4`, c.hidden, c.hidden);
    linear(`${net}.6`, outputs, c.hidden);
  }
  return shapes;
}
