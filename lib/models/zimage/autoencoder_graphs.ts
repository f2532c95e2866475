/**
 * The programs of the autoencoder.
 *
 * @module
 */
import { add, clamp, Graph, mul, transpose } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { decodeImage } from "../flux2/autoencoder/decoder.ts";
import { encodeImage } from "../flux2/autoencoder/encoder.ts";
import { PIXELS_PER_TOKEN } from "../image_pipeline/image_family.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { PATCH_SIZE, type ZImageVaeConfig } from "./config.ts";

/** Input: `image` [3,16h,16w] in -1 to 1. Output: `latents` [C,2h,2w], shifted and scaled. */
export function encoderGraph(config: ZImageVaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const image = graph.input("image", [3, PIXELS_PER_TOKEN * height, PIXELS_PER_TOKEN * width]);
  const { mode } = encodeImage(image, config, weights);
  graph.output("latents", mul(add(mode, -config.shift), config.scale));
  return graph;
}

/** Input: `latents` [C,2h,2w], shifted and scaled. Output: `pixels` [16h,16w,3], 0 to 255 and not rounded. */
export function decoderGraph(config: ZImageVaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", [config.latentChannels, PATCH_SIZE * height, PATCH_SIZE * width]);
  const { image } = decodeImage(add(mul(latents, 1 / config.scale), config.shift), config, weights);
  graph.output("pixels", transpose(clamp(add(mul(image, 127.5), 127.5), 0, 255), [1, 2, 0]));
  return graph;
}
