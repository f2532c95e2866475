/**
 * The families of image models, as their folders say which one it is.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import { openFlux2 } from "../../models/flux2/loader.ts";
import type { ImageFiles } from "../../models/image_pipeline/open_components.ts";
import { openZImage } from "../../models/zimage/loader.ts";
import type { EngineId } from "../contract/engine_ids.ts";

/** A family. */
export interface FamilyOfFiles {
  /** `_class_name` in `model_index.json`. */
  readonly className: string;
  readonly open: (root: ModelRoot) => Promise<ImageFiles>;
}

/** All families by their engines. */
export const imageFamilies: Readonly<Record<EngineId<"image">, FamilyOfFiles>> = {
  "flux2": { className: "Flux2KleinPipeline", open: openFlux2 },
  "z-image": { className: "ZImagePipeline", open: openZImage },
};
