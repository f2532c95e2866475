/**
 * FLUX.2 as a family of image models, and how its pipelines are opened.
 *
 * @module
 */
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { ImageFamily } from "../image_pipeline/image_family.ts";
import { type ImageFiles, openComponents, type PipelineConfigs } from "../image_pipeline/open_components.ts";
import { decoderGraph, encoderGraph } from "./autoencoder.ts";
import { type Flux2Config, flux2TransformerShapes, flux2VaeShapes } from "./config.ts";
import { parseFlux2Config } from "./parse_config.ts";
import { noiseLevels } from "./schedule.ts";
import { transformerGraph, Velocity } from "./transformer.ts";

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

/** An opened pipeline. */
export interface Flux2Files extends ImageFiles {
  readonly config: Flux2Config;
}

/**
 * Checks configurations, names and shapes of all weights.
 *
 * @throws {SvcError} naming every missing file and field, and every missing or misshaped tensor.
 */
export async function openFlux2(root: ModelRoot): Promise<Flux2Files> {
  const { files, described } = await openComponents(root, (configs: PipelineConfigs) => {
    const config = parseFlux2Config(configs);
    return {
      config,
      family: flux2Family(config),
      transformer: flux2TransformerShapes(config.transformer),
      vae: flux2VaeShapes(config.vae),
    };
  });
  return { ...files, config: described.config };
}
