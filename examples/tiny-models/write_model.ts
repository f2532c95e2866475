/**
 * Puts a model into a folder.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelFiles } from "./model_files.ts";

/** Writes the files of a model below a folder, which is made if need be. */
export function writeModel(folder: string, files: ModelFiles): void {
  for (const [path, bytes] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}
