/**
 * Models beside the store.
 *
 * @module
 */
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { chooseFiles } from "../../store/choose_files.ts";
import { detectModel } from "../../store/detect_model.ts";
import type { InstalledModel } from "../../store/installed_model.ts";
import { idOfRepository } from "../../store/model_id.ts";
import { openModelFolder } from "../model_folder.ts";
import { readModelSource } from "./model_source.ts";
import { profileReaders } from "./profile_readers.ts";

/**
 * A folder in Hugging Face layout, or a GGUF file, as if it were installed; its id is its name. Its files are not
 * hashed. Undefined when there is nothing at the path.
 *
 * @throws {StoreError} when what is there is of no model that an engine serves.
 */
export async function openLocalModel(path: string): Promise<InstalledModel | undefined> {
  const place = resolve(path);
  const info = await stat(place).catch(() => undefined);
  if (!info) return undefined;
  const source = await readModelSource(path, "serve");
  const { paths } = chooseFiles(source.paths, undefined, path);
  const files = openModelFolder(source.folder, paths);
  const { task, profile } = await detectModel(files, undefined, profileReaders, path);
  const sizes = await Promise.all(paths.map(async (name) => (await stat(files.path(name))).size));
  return {
    id: idOfRepository(basename(place).replace(/\.gguf$/i, "")),
    task,
    folder: source.folder,
    files: paths.map((name, i) => ({ path: name, bytes: sizes[i], sha256: "" })),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    installedAt: info.mtime.toISOString(),
    ...(profile ? { profile } : {}),
  };
}
