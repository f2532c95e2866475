/**
 * Engines of image models: one a family.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";
import { imageModelBytes, imageWorkBytes } from "./image_operations.ts";
import type { EngineId } from "../contract/engine_ids.ts";

/** FLUX.2 klein and what has its architecture. */
export const flux2Engine: EngineEntry = imageEngine("flux2");

/** Z-Image-Turbo and what has its architecture. */
export const zimageEngine: EngineEntry = imageEngine("z-image");

/** Pipelines in their published layout on the project's own graphs. */
function imageEngine(engine: EngineId<"image">): EngineEntry {
  return {
    kind: "image",
    readProfile: async (files) => await (await import("./read_image_profile.ts")).readImageProfile(engine, files),
    open: async (files, options) =>
      await (await import("./open_image_engine.ts")).openImageEngine(engine, files, options),
    loadBytes: imageModelBytes,
    memory: { make_image: imageWorkBytes },
  };
}
