/**
 * Encoder of the autoencoder: an image to latents an eighth as large.
 *
 * @module
 */
import { conv2d, reshape, silu, slice, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { convolution } from "../../layers/convolution.ts";
import type { Flux2VaeConfig } from "../config.ts";
import { middleBlock } from "./middle_block.ts";
import { pixelNorm, resBlock } from "./res_block.ts";

/** Latents and what each part of the encoder gave, by the part's weight name. */
export interface EncodedImage {
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
