/**
 * Model files on disk.
 *
 * @module
 */
import type { ModelFiles } from "../../../engines/files/model_files.ts";
import { readFile } from "../../../platform/files/file_system.ts";
import { join } from "../../../platform/files/paths.ts";
import { readPart } from "../../../platform/files/read_part.ts";

/**
 * The files `names` of a folder; other files in it are ignored.
 *
 * @example
 * ```ts ignore
 * const files = openModelFolder(model.folder, model.files.map((file) => file.path));
 * ```
 */
export function openModelFolder(folder: string, names: readonly string[]): ModelFiles {
  const path = (name: string) => join(folder, name);
  return {
    names,
    path,
    read: async (name) => new Uint8Array(await readFile(path(name))),
    readPart: (name, start, length) => readPart(path(name), start, length),
  };
}
