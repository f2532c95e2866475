/**
 * Opens FLUX.2 pipelines.
 *
 * @module
 */
import type { ModelRoot } from "../checkpoint/model_root.ts";
import { type ImageFiles, openComponents, type PipelineConfigs } from "../image_pipeline/open_components.ts";
import type { Flux2Config } from "./config.ts";
import { flux2Family } from "./flux2_family.ts";
import { parseFlux2Config } from "./parse_config.ts";
import { flux2TransformerShapes, flux2VaeShapes } from "./tensor_shapes.ts";

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
