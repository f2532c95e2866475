/**
 * Names and shapes of the weights of MoGe-2.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import { addDinoV2Shapes, addPair } from "../vision_transformer/dinov2_config.ts";
import { type ConvStackConfig, MOGE2_HEADS, type Moge2Config } from "./config.ts";

/** Weights by the names of the published checkpoints. */
export function moge2Shapes(c: Moge2Config): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number, kernel: number) =>
    addPair(shapes, name, [output, input, kernel, kernel], output);
  const last = c.dims.length - 1;

  const stack = (name: string, stackConfig: ConvStackConfig, inputs: readonly number[]) => {
    c.dims.forEach((dim, level) => {
      conv(`${name}.input_blocks.${level}`, dim, inputs[level], 1);
      for (let i = 0; i < stackConfig.blocks[level]; i++) {
        conv(`${name}.res_blocks.${level}.${i}.layers.2`, dim, dim, 3);
        conv(`${name}.res_blocks.${level}.${i}.layers.5`, dim, dim, 3);
      }
      if (level === last) return;
      const next = c.dims[level + 1];
      const resampler = `${name}.resamplers.${level}`;
      if (level < last - 1) addPair(shapes, `${resampler}.0`, [dim, next, 2, 2], next);
      conv(`${resampler}.1`, next, level < last - 1 ? next : dim, 3);
    });
  };

  addDinoV2Shapes(shapes, "encoder.backbone.", c.encoder);
  c.take.forEach((_, i) => conv(`encoder.output_projections.${i}`, c.dims[0], c.encoder.dim, 1));
  stack("neck", c.neck, c.dims.map((dim, level) => (level === 0 ? dim + 2 : 2)));
  for (const name of MOGE2_HEADS) {
    stack(name, c.heads, c.dims);
    conv(`${name}.output_blocks.${last}`, name === "mask_head" ? 1 : 3, c.dims[last], 1);
  }
  addPair(shapes, "scale_head.0", [c.encoder.dim, c.encoder.dim], c.encoder.dim);
  addPair(shapes, "scale_head.2", [c.encoder.dim, c.encoder.dim], c.encoder.dim);
  addPair(shapes, "scale_head.4", [1, c.encoder.dim], 1);
  return shapes;
}
