/**
 * FLUX.2 klein and what has its architecture.
 *
 * @module
 */
import type { EngineEntry } from "../table/engine_entry.ts";
import { imageModelBytes, imageWorkBytes } from "./image_memory.ts";

/** Pipelines in their published layout on the project's own graphs. */
export const flux2Engine: EngineEntry = {
  kind: "image",
  readProfile: async (files) => await (await import("./read_flux2_profile.ts")).readFlux2Profile(files),
  open: async (files, options) => await (await import("./open_flux2.ts")).openFlux2Engine(files, options),
  loadBytes: imageModelBytes,
  memory: { make_image: imageWorkBytes },
};
