/**
 * The autoencoder: an image to latents an eighth as large and back, and its programs.
 *
 * @module
 */
import {
  add,
  attention,
  clamp,
  conv2d,
  f32,
  Graph,
  groupNorm,
  mul,
  reshape,
  silu,
  slice,
  type Tensor,
  toFloat32,
  transpose,
  upsample,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { PIXELS_PER_TOKEN } from "../image_pipeline/image_family.ts";
import { convolution } from "../layers/convolution.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import type { Flux2VaeConfig } from "./config.ts";
import { patchifyLatents, unpatchifyLatents } from "./tokens.ts";

/** Input: `image` [3,16h,16w] in -1 to 1. Output: `latents` [4C,h,w], normalised. */
export function encoderGraph(config: Flux2VaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const image = graph.input("image", [3, PIXELS_PER_TOKEN * height, PIXELS_PER_TOKEN * width]);
  const patches = patchifyLatents(encodeImage(image, config, weights).mode);
  graph.output("latents", normaliseLatents(patches, weights.at("bn"), config.batchNormEps));
  return graph;
}

/** Input: `latents` [4C,h,w], normalised. Output: `pixels` [16h,16w,3], 0 to 255 and not rounded. */
export function decoderGraph(config: Flux2VaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", [4 * config.latentChannels, height, width]);
  const z = unpatchifyLatents(denormaliseLatents(latents, weights.at("bn"), config.batchNormEps));
  const { image } = decodeImage(z, config, weights);
  graph.output("pixels", transpose(clamp(add(mul(image, 127.5), 127.5), 0, 255), [1, 2, 0]));
  return graph;
}

/** The image and what each part of the decoder gave, by the part's weight name. */
interface DecodedImage {
  /** [3,8h,8w], about -1 to 1, not clamped. */
  readonly image: Value;
  readonly parts: ReadonlyMap<string, Value>;
}

/** Decodes latents [C,h,w] that are not normalised any more. */
export function decodeImage(z: Value, config: Flux2VaeConfig, weights: Weights): DecodedImage {
  const parts = new Map<string, Value>();
  const keep = (name: string, x: Value) => {
    parts.set(name, x);
    return x;
  };
  const { decoderChannels: stages, layersPerBlock, normGroups: groups } = config;
  const decoder = weights.at("decoder");
  let x = reshape(z, [1, ...z.shape]);
  // Autoencoders of the same kind in other pipelines leave this layer out.
  if (weights.has("post_quant_conv.weight")) x = keep("post_quant", convolution(x, weights.at("post_quant_conv")));
  x = keep("conv_in", convolution(x, decoder.at("conv_in")));
  const middle = middleBlock(x, decoder.at("mid_block"), groups);
  keep("mid.resnet0", middle.first);
  keep("mid.attn", middle.attended);
  x = keep("mid.resnet1", middle.last);
  for (let i = 0; i < stages.length; i++) {
    const stage = decoder.at(`up_blocks.${i}`);
    for (let j = 0; j <= layersPerBlock; j++) x = resBlock(x, stage.at(`resnets.${j}`), groups);
    if (i < stages.length - 1) x = convolution(upsample(x, 2), stage.at("upsamplers.0.conv"));
    keep(`up.${i}`, x);
  }
  x = convolution(silu(pixelNorm(x, decoder.at("conv_norm_out"), groups)), decoder.at("conv_out"));
  return { image: reshape(x, x.shape.slice(1)), parts };
}

/** Latents and what each part of the encoder gave, by the part's weight name. */
interface EncodedImage {
  /** The mode of the distribution, [C,H/8,W/8], not normalised. */
  readonly mode: Value;
  readonly parts: ReadonlyMap<string, Value>;
}

/** Encodes an image [3,H,W] in -1 to 1. */
export function encodeImage(image: Value, config: Flux2VaeConfig, weights: Weights): EncodedImage {
  const parts = new Map<string, Value>();
  const keep = (name: string, x: Value) => {
    parts.set(name, x);
    return x;
  };
  const { encoderChannels: stages, layersPerBlock, normGroups: groups, latentChannels } = config;
  const encoder = weights.at("encoder");
  let x = keep("conv_in", convolution(reshape(image, [1, ...image.shape]), encoder.at("conv_in")));
  for (let i = 0; i < stages.length; i++) {
    const stage = encoder.at(`down_blocks.${i}`);
    for (let j = 0; j < layersPerBlock; j++) {
      x = keep(`down.${i}.resnet${j}`, resBlock(x, stage.at(`resnets.${j}`), groups));
    }
    if (i < stages.length - 1) x = halve(x, stage.at("downsamplers.0.conv"));
    keep(`down.${i}`, x);
  }
  const middle = middleBlock(x, encoder.at("mid_block"), groups);
  keep("mid.resnet0", middle.first);
  keep("mid.attn", middle.attended);
  x = keep("mid.resnet1", middle.last);
  x = keep("conv_out", convolution(silu(pixelNorm(x, encoder.at("conv_norm_out"), groups)), encoder.at("conv_out")));
  // Autoencoders of the same kind in other pipelines leave this layer out.
  const moments = keep("moments", weights.has("quant_conv.weight") ? convolution(x, weights.at("quant_conv")) : x);
  const [, , h, w] = moments.shape;
  return { mode: reshape(slice(moments, { axis: 1, end: latentChannels }), [latentChannels, h, w]), parts };
}

/** 3x3 convolution of stride 2 after one row and column of zeros at the bottom right; [1,C,H,W] -> [1,C,H/2,W/2]. */
function halve(x: Value, weights: Weights): Value {
  const [weight, bias] = [weights.in(x.graph, "weight"), weights.in(x.graph, "bias")];
  return conv2d(x, weight, bias, { stride: [2, 2], pad: [0, 0, 1, 1] });
}

/** x + out(attend(norm(x))) with one head as wide as the channels; x [1,C,H,W] -> same. */
function pixelAttention(x: Value, weights: Weights, groups: number): Value {
  const [, c, h, w] = x.shape;
  const normed = pixelNorm(x, weights.at("group_norm"), groups);
  const pixels = transpose(reshape(normed, [c, h * w]), [1, 0]);
  const [q, k, v] = ["to_q", "to_k", "to_v"].map((name) => reshape(dense(pixels, weights.at(name)), [h * w, 1, c]));
  const mixed = dense(reshape(attention(q, k, v), [h * w, c]), weights.at("to_out.0"));
  return add(x, reshape(transpose(mixed, [1, 0]), x.shape));
}

/** Residual block, attention, residual block; each as it comes. */
function middleBlock(
  x: Value,
  weights: Weights,
  groups: number,
): { readonly first: Value; readonly attended: Value; readonly last: Value } {
  const first = resBlock(x, weights.at("resnets.0"), groups);
  const attended = pixelAttention(first, weights.at("attentions.0"), groups);
  return { first, attended, last: resBlock(attended, weights.at("resnets.1"), groups) };
}

/** Added to the variance in every group norm; no configuration names it. */
const NORM_EPS = 1e-6;

/** Group norm with its weights; x [1,C,H,W] -> same. */
function pixelNorm(x: Value, weights: Weights, groups: number): Value {
  return groupNorm(x, groups, weights.in(x.graph, "weight"), weights.in(x.graph, "bias"), NORM_EPS);
}

/** conv(silu(norm(conv(silu(norm(x)))))) + shortcut(x), a 1x1 convolution where the width changes; [1,C,H,W] -> [1,O,H,W]. */
function resBlock(x: Value, weights: Weights, groups: number): Value {
  const first = convolution(silu(pixelNorm(x, weights.at("norm1"), groups)), weights.at("conv1"));
  const second = convolution(silu(pixelNorm(first, weights.at("norm2"), groups)), weights.at("conv2"));
  const shortcut = weights.has("conv_shortcut.weight") ? convolution(x, weights.at("conv_shortcut")) : x;
  return add(second, shortcut);
}

/** (x - mean) / sqrt(variance + eps) of every channel; x [C,h,w] -> same. */
export function normaliseLatents(x: Value, statistics: Weights, eps: number): Value {
  const { mean, deviation } = columns(statistics, eps);
  const factor = deviation.map((d) => 1 / d);
  return add(mul(x, column(x, factor)), column(x, mean.map((m, c) => -m * factor[c])));
}

/** x * sqrt(variance + eps) + mean of every channel; x [C,h,w] -> same. */
export function denormaliseLatents(x: Value, statistics: Weights, eps: number): Value {
  const { mean, deviation } = columns(statistics, eps);
  return add(mul(x, column(x, deviation)), column(x, mean));
}

function columns(statistics: Weights, eps: number): { readonly mean: number[]; readonly deviation: number[] } {
  const read = (t: Tensor) => Array.from(toFloat32(t));
  return {
    mean: read(statistics.get("running_mean")),
    deviation: read(statistics.get("running_var")).map((variance) => Math.sqrt(variance + eps)),
  };
}

function column(x: Value, values: readonly number[]): Value {
  return x.graph.constant(f32([values.length, 1, 1], values));
}
