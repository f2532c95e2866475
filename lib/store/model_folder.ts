/**
 * Model files on disk.
 *
 * @module
 */
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { readFile } from "../platform/files/file_system.ts";
import { join } from "../platform/files/paths.ts";
import { readPart } from "../platform/files/read_part.ts";

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
    read: (name) => named(name, async () => new Uint8Array(await readFile(path(name)))),
    readPart: (name, start, length) => named(name, () => readPart(path(name), start, length)),
  };
}

/** Linked models are in places where others may remove files. */
async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!gone.includes((cause as { code?: unknown }).code)) throw cause;
    throw new Error(`Cannot read ${name}: it is missing, put it back, or remove the model and add it again`, { cause });
  }
}

/** What systems call a file that is not there, or a link to nowhere or in a circle. */
const gone: readonly unknown[] = ["ENOENT", "ENOTDIR", "ELOOP"];
