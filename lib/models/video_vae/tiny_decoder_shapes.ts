/**
 * Names and shapes of the weights of the tiny decoder, as published.
 *
 * @module
 */
import type { Shape, TensorFile } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/tensor_shapes.ts";

/** Places of the layers in the published sequence: blocks of each stage, growth in time, and change of width. */
export const BLOCKS: readonly (readonly number[])[] = [[3, 4, 5], [9, 10, 11], [15, 16, 17]];
export const GROWS: readonly number[] = [7, 13, 19];
export const NARROWS: readonly number[] = [8, 14, 20];

/** Frames that a frame becomes in each stage. */
const TIMES = [1, 2, 2];

/** Red, green and blue of 2x2 pixels. */
const PATCH_CHANNELS = 12;

/** Channels of the stages and of the last convolution's input; those of the published decoder are [256,128,64,64]. */
export type TinyWidths = readonly [number, number, number, number];

/** All weights of a decoder of latents with `zDim` channels. */
export function tinyDecoderShapes(zDim: number, widths: TinyWidths): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number) => {
    shapes.set(`decoder.${name}.weight`, [output, input, 3, 3]);
    shapes.set(`decoder.${name}.bias`, [output]);
  };
  conv("1", widths[0], zDim);
  BLOCKS.forEach((blocks, stage) => {
    const width = widths[stage];
    for (const block of blocks) {
      conv(`${block}.conv.0`, width, 2 * width);
      conv(`${block}.conv.2`, width, width);
      conv(`${block}.conv.4`, width, width);
    }
    shapes.set(`decoder.${GROWS[stage]}.conv.weight`, [TIMES[stage] * width, width, 1, 1]);
    shapes.set(`decoder.${NARROWS[stage]}.weight`, [widths[stage + 1], width, 3, 3]);
  });
  conv("22", PATCH_CHANNELS, widths[3]);
  return shapes;
}

/** The widths that a file's weights have; those of the published decoder where it has none. */
export function tinyWidths(file: TensorFile | undefined): TinyWidths {
  const width = (name: string, otherwise: number) => file?.tensors.get(`decoder.${name}.weight`)?.shape[0] ?? otherwise;
  return [width("1", 256), width("8", 128), width("14", 64), width("20", 64)];
}
