/**
 * Names and shapes of all weights that a configuration asks for, as the checkpoints call them.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import type { TextEncoderConfig, TransformerConfig } from "./config.ts";

/** Weights of the causal transformer (`model.safetensors`). */
export function transformerShapes(c: TransformerConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) => {
    shapes.set(`${name}.weight`, [output, input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const camera = c.dim / c.attnCompress;
  shapes.set("patch_embedding.weight", [c.dim, c.zDim, 1, 2, 2]);
  shapes.set("patch_embedding.bias", [c.dim]);
  linear("text_embedding.0", c.dim, c.textDim);
  linear("text_embedding.2", c.dim, c.dim);
  linear("time_embedding.0", c.dim, c.freqDim);
  linear("time_embedding.2", c.dim, c.dim);
  linear("time_projection.1", 6 * c.dim, c.dim);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.modulation`, [1, 6, c.dim]);
    for (const attention of ["self_attn", "cross_attn"]) {
      for (const projection of ["q", "k", "v", "o"]) linear(`${block}.${attention}.${projection}`, c.dim, c.dim);
      shapes.set(`${block}.${attention}.norm_q.weight`, [c.dim]);
      shapes.set(`${block}.${attention}.norm_k.weight`, [c.dim]);
    }
    for (const projection of ["q", "k", "v"]) linear(`${block}.cam_self_attn.${projection}_proj`, camera, c.dim);
    linear(`${block}.cam_self_attn.out_proj`, c.dim, camera);
    shapes.set(`${block}.cam_self_attn.norm_q.weight`, [camera]);
    shapes.set(`${block}.cam_self_attn.norm_k.weight`, [camera]);
    shapes.set(`${block}.norm3.weight`, [c.dim]);
    shapes.set(`${block}.norm3.bias`, [c.dim]);
    linear(`${block}.ffn.0`, c.ffnDim, c.dim);
    linear(`${block}.ffn.2`, c.dim, c.ffnDim);
  }
  shapes.set("head.modulation", [1, 2, c.dim]);
  linear("head.head", 4 * c.zDim, c.dim);
  return shapes;
}

/** Weights of the text encoder (`t5_encoder.safetensors`). */
export function textEncoderShapes(c: TextEncoderConfig): TensorShapes {
  const shapes = new Map<string, Shape>([["token_embedding.weight", [c.vocab, c.dim]]]);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.norm1.weight`, [c.dim]);
    shapes.set(`${block}.norm2.weight`, [c.dim]);
    for (const projection of ["q", "k", "v"]) shapes.set(`${block}.attn.${projection}.weight`, [c.dimAttn, c.dim]);
    shapes.set(`${block}.attn.o.weight`, [c.dim, c.dimAttn]);
    shapes.set(`${block}.pos_embedding.embedding.weight`, [c.numBuckets, c.numHeads]);
    shapes.set(`${block}.ffn.gate.0.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc1.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc2.weight`, [c.dim, c.dimFfn]);
  }
  return shapes.set("norm.weight", [c.dim]);
}
