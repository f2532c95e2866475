/**
 * Names and shapes of the weights of the video autoencoder.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
import type { VaeConfig } from "./vae_config.ts";

/** Weights of the video autoencoder by the names of the Wan checkpoints. */
export function vaeShapes(c: VaeConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number, ...kernel: readonly number[]) => {
    shapes.set(`${name}.weight`, [output, input, ...kernel]);
    shapes.set(`${name}.bias`, [output]);
  };
  const resBlock = (name: string, input: number, output: number) => {
    shapes.set(`${name}.residual.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.residual.2`, output, input, 3, 3, 3);
    shapes.set(`${name}.residual.3.gamma`, [output, 1, 1, 1]);
    conv(`${name}.residual.6`, output, output, 3, 3, 3);
    if (input !== output) conv(`${name}.shortcut`, output, input, 1, 1, 1);
  };
  const middle = (name: string, width: number) => {
    resBlock(`${name}.0`, width, width);
    shapes.set(`${name}.1.norm.gamma`, [width, 1, 1]);
    conv(`${name}.1.to_qkv`, 3 * width, width, 1, 1);
    conv(`${name}.1.proj`, width, width, 1, 1);
    resBlock(`${name}.2`, width, width);
  };
  const head = (name: string, input: number, output: number) => {
    shapes.set(`${name}.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.2`, output, input, 3, 3, 3);
  };
  const last = c.dimMult.length - 1;

  conv("encoder.conv1", c.dim, PATCH_CHANNELS, 3, 3, 3);
  c.dimMult.forEach((multiple, i) => {
    const [input, output] = [c.dim * (c.dimMult[i - 1] ?? 1), c.dim * multiple];
    const name = `encoder.downsamples.${i}.downsamples`;
    for (let j = 0; j < c.numResBlocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${c.numResBlocks}.resample.1`, output, output, 3, 3);
    if (i < last && c.temporalDownsample[i]) conv(`${name}.${c.numResBlocks}.time_conv`, output, output, 3, 1, 1);
  });
  const encoded = c.dim * c.dimMult[last];
  middle("encoder.middle", encoded);
  head("encoder.head", encoded, 2 * c.zDim);
  conv("conv1", 2 * c.zDim, 2 * c.zDim, 1, 1, 1);

  conv("conv2", c.zDim, c.zDim, 1, 1, 1);
  const multiples = c.dimMult.toReversed();
  const doublesTime = c.temporalDownsample.toReversed();
  conv("decoder.conv1", c.decDim * multiples[0], c.zDim, 3, 3, 3);
  middle("decoder.middle", c.decDim * multiples[0]);
  multiples.forEach((multiple, i) => {
    const [input, output] = [c.decDim * (multiples[i - 1] ?? multiple), c.decDim * multiple];
    const name = `decoder.upsamples.${i}.upsamples`;
    const blocks = c.numResBlocks + 1;
    for (let j = 0; j < blocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${blocks}.resample.1`, output, output, 3, 3);
    if (i < last && doublesTime[i]) conv(`${name}.${blocks}.time_conv`, 2 * output, output, 3, 1, 1);
  });
  head("decoder.head", c.decDim * multiples[last], PATCH_CHANNELS);
  return shapes;
}

/** Red, green and blue of 2x2 pixels. */
const PATCH_CHANNELS = 12;
