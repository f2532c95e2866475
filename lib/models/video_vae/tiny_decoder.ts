/**
 * The tiny video decoder (TAEHV of O. Boer Bohan, in the form of `taew2_2`): convolutions of single frames, where some
 * blocks also see what they saw of the frame before. It takes normalised latents and costs a two-hundredth of the
 * autoencoder's own decoder, at the price of detail.
 *
 * @module
 */
import {
  add,
  clamp,
  concat,
  conv2d,
  Graph,
  mul,
  relu,
  reshape,
  type Shape,
  slice,
  tanh,
  type TensorFile,
  transpose,
  upsample,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { TensorShapes, Weights } from "../checkpoint/weights.ts";
import { FrameHistory, type StreamPlace } from "./frame_history.ts";

/** Latents are drawn softly into (-3, 3). */
const LIMIT = 3;

/** The first latent stands for one frame, the last of the four that it becomes. */
const TRIMMED = 3;

/** Places of the layers in the published sequence: blocks of each stage, growth in time, and change of width. */
export const BLOCKS: readonly (readonly number[])[] = [[3, 4, 5], [9, 10, 11], [15, 16, 17]];
const GROWS: readonly number[] = [7, 13, 19];
const NARROWS: readonly number[] = [8, 14, 20];

/** Frames that a frame becomes in each stage. */
const TIMES = [1, 2, 2];

/**
 * Latents [N,z,h,w] and what a stream remembers to `frames` [count,16h,16w,3], 0 to 255, and what it remembers next;
 * 4N - 3 frames at the start of a stream, 4N later.
 */
export function tinyDecoderGraph(weights: Weights, shape: Shape, place: StreamPlace): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", shape);
  const images = decodeTiny(latents, weights.at("decoder"), new FrameHistory(graph, place));
  graph.output("frames", clamp(mul(images, 255), 0, 255));
  return graph;
}

/** [N,z,h,w] -> [count,16h,16w,3], about 0 to 1. */
function decodeTiny(latents: Value, weights: Weights, history: FrameHistory): Value {
  let x = mul(tanh(mul(latents, 1 / LIMIT)), LIMIT);
  x = relu(convolve(x, weights.at("1")));
  for (const [stage, blocks] of BLOCKS.entries()) {
    for (const block of blocks) x = rememberingBlock(x, weights.at(`${block}`), history, `decoder.${block}`);
    x = grow(upsample(x, 2), weights.at(`${GROWS[stage]}`));
    x = convolve(x, weights.at(`${NARROWS[stage]}`));
  }
  x = convolve(relu(x), weights.at("22"));
  return pixels(history.first ? slice(x, { axis: 0, start: TRIMMED }) : x);
}

/** relu(x + convolutions of x and of the frame before); x [T,C,H,W]. */
function rememberingBlock(x: Value, weights: Weights, history: FrameHistory, name: string): Value {
  const before = slice(history.prepend(name, x, 1), { axis: 0, end: x.shape[0] });
  let y = relu(convolve(concat([x, before], 1), weights.at("conv.0")));
  y = relu(convolve(y, weights.at("conv.2")));
  return relu(add(convolve(y, weights.at("conv.4")), x));
}

/** One or two frames of every frame; [T,C,H,W] -> [T or 2T,C,H,W]. */
function grow(x: Value, weights: Weights): Value {
  const [, channels, height, width] = x.shape;
  return reshape(conv2d(x, weights.in(x.graph, "conv.weight")), [-1, channels, height, width]);
}

function convolve(x: Value, weights: Weights): Value {
  const bias = weights.has("bias") ? weights.in(x.graph, "bias") : undefined;
  return conv2d(x, weights.in(x.graph, "weight"), bias, { pad: [1, 1, 1, 1] });
}

/** Channel = colour * 4 + row parity * 2 + column parity; [T,12,h,w] -> [T,2h,2w,3]. */
function pixels(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 4, 2, 5, 3, 1]), [t, 2 * h, 2 * w, c / 4]);
}

/** Red, green and blue of 2x2 pixels. */
const PATCH_CHANNELS = 12;

/** Channels of the stages and of the last convolution's input; those of the published decoder are [256,128,64,64]. */
type TinyWidths = readonly [number, number, number, number];

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
