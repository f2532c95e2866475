/**
 * FLUX.2 as a family of image models.
 *
 * @module
 */
import type { ImageFamily } from "../image_pipeline/image_family.ts";
import { decoderGraph, encoderGraph } from "./autoencoder/autoencoder_graphs.ts";
import type { Flux2Config } from "./config.ts";
import { noiseLevels } from "./schedule.ts";
import { transformerGraph } from "./transformer/transformer.ts";
import { Velocity } from "./velocity.ts";

/** The family with the sizes of a model. The padding of a prompt is text too. */
export function flux2Family(config: Flux2Config): ImageFamily {
  const { transformer, vae } = config;
  return {
    ...config,
    thinking: false,
    takesReferences: true,
    latentShape: ({ width, height }) => [transformer.latentChannels, height, width],
    noiseLevels,
    text: (encoded) => encoded,
    encoderGraph: (weights, image) => encoderGraph(vae, weights, image),
    transformerGraph: (weights, size) => transformerGraph(transformer, weights, size),
    decoderGraph: (weights, image) => decoderGraph(vae, weights, image),
    openVelocity: (device, program, denoised) => new Velocity(device, program, transformer, denoised),
  };
}
