/**
 * Z-Image as a family of image models: how its pipelines are opened, its autoencoder and its noise levels.
 *
 * @module
 */
import { add, clamp, f32, Graph, mul, type Tensor, transpose } from "../../compute/tensor/mod.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { decodeImage, encodeImage } from "../flux2/autoencoder.ts";
import { type ImageFamily, PIXELS_PER_TOKEN } from "../image_pipeline/image_family.ts";
import { type ImageFiles, openComponents, type PipelineConfigs } from "../image_pipeline/open_components.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import {
  PATCH_SIZE,
  type ZImageConfig,
  zimageTransformerShapes,
  type ZImageVaeConfig,
  zimageVaeShapes,
} from "./config.ts";
import { parseZImageConfig } from "./parse_config.ts";
import { paddedTokens } from "./transformer.ts";
import { transformerGraph, Velocity } from "./velocity.ts";

/** The family with the sizes of a model. Its text is the last hidden state but one of the prompt's own tokens. */
function zimageFamily(config: ZImageConfig): ImageFamily {
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

/**
 * Checks configurations, names and shapes of all weights.
 *
 * @throws {SvcError} naming every missing file and field, and every missing or misshaped tensor.
 */
export async function openZImage(root: ModelRoot): Promise<ImageFiles> {
  const { files } = await openComponents(root, (configs: PipelineConfigs) => {
    const config = parseZImageConfig(configs);
    return {
      family: zimageFamily(config),
      transformer: zimageTransformerShapes(config.transformer),
      vae: zimageVaeShapes(config.vae),
    };
  });
  return files;
}

/** Input: `image` [3,16h,16w] in -1 to 1. Output: `latents` [C,2h,2w], shifted and scaled. */
function encoderGraph(config: ZImageVaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const image = graph.input("image", [3, PIXELS_PER_TOKEN * height, PIXELS_PER_TOKEN * width]);
  const { mode } = encodeImage(image, config, weights);
  graph.output("latents", mul(add(mode, -config.shift), config.scale));
  return graph;
}

/** Input: `latents` [C,2h,2w], shifted and scaled. Output: `pixels` [16h,16w,3], 0 to 255 and not rounded. */
function decoderGraph(config: ZImageVaeConfig, weights: Weights, { height, width }: LatentSize): Graph {
  const graph = new Graph();
  const latents = graph.input("latents", [config.latentChannels, PATCH_SIZE * height, PATCH_SIZE * width]);
  const { image } = decodeImage(add(mul(latents, 1 / config.scale), config.shift), config, weights);
  graph.output("pixels", transpose(clamp(add(mul(image, 127.5), 127.5), 0, 255), [1, 2, 0]));
  return graph;
}

/**
 * Noise levels from 1 to 0, one more than steps: shift * s / (1 + (shift - 1) * s) for s in equal steps from 1 to
 * 1 / steps, then 0 (Esser et al. 2024, section 5.3.2).
 */
export function shiftedLevels(steps: number, shift: number): Float32Array {
  const levels = new Float32Array(steps + 1);
  for (let i = 0; i < steps; i++) {
    const s = steps === 1 ? 1 : 1 - i * (1 - 1 / steps) / (steps - 1);
    levels[i] = shift * s / (1 + (shift - 1) * s);
  }
  return levels;
}
