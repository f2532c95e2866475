/**
 * Z-Image as a family of image models.
 *
 * @module
 */
import { f32, type Tensor } from "../../compute/tensor/mod.ts";
import type { ImageFamily } from "../image_pipeline/image_family.ts";
import { decoderGraph, encoderGraph } from "./autoencoder_graphs.ts";
import { PATCH_SIZE, type ZImageConfig } from "./config.ts";
import { shiftedLevels } from "./schedule.ts";
import { paddedTokens } from "./token_layout.ts";
import { transformerGraph, Velocity } from "./velocity.ts";

/** The family with the sizes of a model. Its text is the last hidden state but one of the prompt's own tokens. */
export function zimageFamily(config: ZImageConfig): ImageFamily {
  const { transformer, vae, shift, textEncoder, textLength, defaultSteps, defaultSize } = config;
  return {
    textEncoder,
    textStates: [textEncoder.numLayers - 1],
    textLength,
    thinking: true,
    distilled: true,
    takesReferences: false,
    defaultSteps,
    defaultGuidance: 0,
    defaultSize,
    latentShape: ({ width, height }) => [transformer.latentChannels, PATCH_SIZE * height, PATCH_SIZE * width],
    noiseLevels: (_, steps) => shiftedLevels(steps, shift),
    text: maskedText,
    encoderGraph: (weights, image) => encoderGraph(vae, weights, image),
    transformerGraph: (weights, size) => transformerGraph(transformer, weights, size),
    decoderGraph: (weights, image) => decoderGraph(vae, weights, image),
    openVelocity: (device, program, denoised) => new Velocity(device, program, transformer, denoised),
  };
}

/** The rows of the prompt, filled up with zeros, and in a further column 1 for each of them: [padded, channels + 1]. */
function maskedText({ data, shape: [, channels] }: Tensor<"f32">, real: number): Tensor<"f32"> {
  const rows = paddedTokens(real);
  const out = new Float32Array(rows * (channels + 1));
  for (let i = 0; i < real; i++) {
    out.set(data.subarray(i * channels, (i + 1) * channels), i * (channels + 1));
    out[i * (channels + 1) + channels] = 1;
  }
  return f32([rows, channels + 1], out);
}
