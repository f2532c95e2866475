/**
 * The families of image models, as their folders say which one it is.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import { openFlux2 } from "../../models/flux2/flux2_family.ts";
import type { ImageFiles } from "../../models/image_pipeline/open_components.ts";
import { openZImage } from "../../models/zimage/zimage_family.ts";
import type { ImageEngineId } from "../contract/image_model.ts";

/** A family. */
export interface FamilyOfFiles {
  /** `_class_name` in `model_index.json`. */
  readonly className: string;
  readonly open: (root: ModelRoot) => Promise<ImageFiles>;
}

/** All families by their engines. */
export const imageFamilies: Readonly<Record<ImageEngineId, FamilyOfFiles>> = {
  "flux2": { className: "Flux2KleinPipeline", open: openFlux2 },
  "z-image": { className: "ZImagePipeline", open: openZImage },
};
