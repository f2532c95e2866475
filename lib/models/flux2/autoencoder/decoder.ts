/**
 * Decoder of the autoencoder: latents to an image eight times as large.
 *
 * @module
 */
import { reshape, silu, upsample, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { convolution } from "../../layers/convolution.ts";
import type { Flux2VaeConfig } from "../config.ts";
import { middleBlock } from "./middle_block.ts";
import { pixelNorm, resBlock } from "./res_block.ts";

/** The image and what each part of the decoder gave, by the part's weight name. */
export interface DecodedImage {
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
