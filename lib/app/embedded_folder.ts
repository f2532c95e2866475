/**
 * Models that come with this package.
 *
 * @module
 */
import { modelRoot } from "./world/model_root.ts";

/** Folder of a model that comes with this package. */
export function embeddedFolder(id: string): string {
  return modelRoot(new URL(`${id}/`, modelsFolder(import.meta.url)).href).name;
}

/** `models/` of this package: beside `lib/` in the sources, beside `dist/` in the built package. */
function modelsFolder(here: string): URL {
  return new URL(new URL(here).pathname.endsWith(".ts") ? "../../models/" : "../../../models/", here);
}
