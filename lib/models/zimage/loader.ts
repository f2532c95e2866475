/**
 * Opens Z-Image pipelines.
 *
 * @module
 */
import type { ModelRoot } from "../checkpoint/model_root.ts";
import { type ImageFiles, openComponents, type PipelineConfigs } from "../image_pipeline/open_components.ts";
import { parseZImageConfig } from "./parse_config.ts";
import { zimageTransformerShapes, zimageVaeShapes } from "./tensor_shapes.ts";
import { zimageFamily } from "./zimage_family.ts";

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
