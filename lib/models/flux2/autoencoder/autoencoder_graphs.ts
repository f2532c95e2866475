/**
 * The programs of the autoencoder.
 *
 * @module
 */
import { add, clamp, Graph, mul, transpose } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { PIXELS_PER_TOKEN } from "../../image_pipeline/image_family.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import type { Flux2VaeConfig } from "../config.ts";
import { patchifyLatents, unpatchifyLatents } from "../latent_tokens.ts";
import { decodeImage } from "./decoder.ts";
import { encodeImage } from "./encoder.ts";
import { denormaliseLatents, normaliseLatents } from "./latent_norm.ts";

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
