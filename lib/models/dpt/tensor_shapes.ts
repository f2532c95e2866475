/**
 * Names and shapes of the weights of a DPT head.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import { addPair } from "../dinov2/tensor_shapes.ts";
import type { DptConfig } from "./config.ts";

/** Adds the weights below `prefix`; `outputs` is what the last convolution gives. */
export function addDptShapes(shapes: Map<string, Shape>, prefix: string, c: DptConfig, outputs: number): void {
  const conv = (name: string, output: number, input: number, kernel: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input, kernel, kernel], output);
  const { channels, features } = c;
  channels.forEach((width, level) => {
    conv(`projects.${level}`, width, c.input, 1);
    if (level < 2) addPair(shapes, `${prefix}resize_layers.${level}`, [width, width, 4 >> level, 4 >> level], width);
    if (level === 3) conv("resize_layers.3", width, width, 3);
    shapes.set(`${prefix}scratch.layer${level + 1}_rn.weight`, [features, width, 3, 3]);
    const block = `scratch.refinenet${level + 1}`;
    // The coarsest block has nothing to add its own map to.
    for (const unit of level < 3 ? ["resConfUnit1", "resConfUnit2"] : ["resConfUnit2"]) {
      conv(`${block}.${unit}.conv1`, features, features, 3);
      conv(`${block}.${unit}.conv2`, features, features, 3);
    }
    conv(`${block}.out_conv`, features, features, 1);
  });
  conv("scratch.output_conv1", features / 2, features, 3);
  conv("scratch.output_conv2.0", DPT_OUTPUT_WIDTH, features / 2, 3);
  conv("scratch.output_conv2.2", outputs, DPT_OUTPUT_WIDTH, 1);
}

/** Channels of the hidden layer at full size, the same in every published head. */
const DPT_OUTPUT_WIDTH = 32;
