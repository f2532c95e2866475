/**
 * Names and shapes of the weights of Video Depth Anything.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { addDinoV2Shapes, addPair } from "../vision_transformer/dinov2_config.ts";
import { addDptShapes } from "../vision_transformer/dpt.ts";
import type { VideoDepthConfig } from "./config.ts";

/** Attention layers of a temporal module. */
const ATTENTION_LAYERS = 2;

/** Weights by the names of the published checkpoints. The tables of sines are worked out. */
export function videoDepthShapes(c: VideoDepthConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  addDinoV2Shapes(shapes, "pretrained.", c.backbone);
  addDptShapes(shapes, "head.", c.head, 1);
  const { channels, features } = c.head;
  [channels[2], channels[3], features, features].forEach((width, i) => {
    addTemporalShapes(shapes, `head.motion_modules.${i}.temporal_transformer.`, width);
  });
  return shapes;
}

function addTemporalShapes(shapes: Map<string, Shape>, prefix: string, width: number): void {
  const vector = (name: string) => addPair(shapes, `${prefix}${name}`, [width], width);
  const linear = (name: string, output: number, input: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input], output);
  vector("norm");
  linear("proj_in", width, width);
  const block = "transformer_blocks.0";
  for (let i = 0; i < ATTENTION_LAYERS; i++) {
    const layer = `${block}.attention_blocks.${i}`;
    for (const name of ["to_q", "to_k", "to_v"]) shapes.set(`${prefix}${layer}.${name}.weight`, [width, width]);
    linear(`${layer}.to_out.0`, width, width);
    vector(`${block}.norms.${i}`);
  }
  linear(`${block}.ff.net.0.proj`, 8 * width, width);
  linear(`${block}.ff.net.2`, width, 4 * width);
  vector(`${block}.ff_norm`);
  linear("proj_out", width, width);
}
