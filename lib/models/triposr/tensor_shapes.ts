/**
 * Names and shapes of the weights of TripoSR.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { addDinoShapes } from "../vision_transformer/dino_config.ts";
import { addPair } from "../vision_transformer/dinov2_config.ts";
import type { TripoSrConfig } from "./config.ts";

/** Weights by the names of the published checkpoint. */
export function tripoSrShapes(c: TripoSrConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) => addPair(shapes, name, [output, input], output);
  const vector = (name: string) => addPair(shapes, name, [c.width], c.width);

  addDinoShapes(shapes, "image_tokenizer.model.", c.encoder);
  shapes.set("tokenizer.embeddings", [3, c.width, c.planeTokens, c.planeTokens]);
  vector("backbone.norm");
  linear("backbone.proj_in", c.width, c.width);
  for (let i = 0; i < c.depth; i++) {
    const block = `backbone.transformer_blocks.${i}`;
    for (const [name, context] of [["attn1", c.width], ["attn2", c.encoder.dim]] as const) {
      shapes.set(`${block}.${name}.to_q.weight`, [c.width, c.width]);
      shapes.set(`${block}.${name}.to_k.weight`, [c.width, context]);
      shapes.set(`${block}.${name}.to_v.weight`, [c.width, context]);
      linear(`${block}.${name}.to_out.0`, c.width, c.width);
    }
    for (const name of ["norm1", "norm2", "norm3"]) vector(`${block}.${name}`);
    linear(`${block}.ff.net.0.proj`, 8 * c.width, c.width);
    linear(`${block}.ff.net.2`, c.width, 4 * c.width);
  }
  linear("backbone.proj_out", c.width, c.width);
  addPair(shapes, "post_processor.upsample", [c.width, c.planeChannels, 2, 2], c.planeChannels);
  linear("decoder.layers.0", c.neurons, 3 * c.planeChannels);
  for (let i = 1; i < c.hiddenLayers; i++) linear(`decoder.layers.${2 * i}`, c.neurons, c.neurons);
  linear(`decoder.layers.${2 * c.hiddenLayers}`, 4, c.neurons);
  return shapes;
}
