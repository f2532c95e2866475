/**
 * Models outside the store.
 *
 * @module
 */
import { stat } from "../platform/files/file_system.ts";
import { basename, resolve } from "../platform/files/paths.ts";
import { chooseFiles } from "./catalog/choose_files.ts";
import { detectModel } from "./catalog/detect_model.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { idOfRepository } from "./catalog/model_id.ts";
import { openModelFolder } from "./model_folder.ts";
import { readModelSource } from "./model_source.ts";
import { profileReaders } from "./profile_readers.ts";

/**
 * A folder in Hugging Face layout or a GGUF file as an installed model; its id is its name. Its files are not hashed.
 *
 * @throws {SvcError} `unsuitable_files` when what is there is of no model that an engine serves, or nothing is.
 */
export async function openLocalModel(path: string): Promise<InstalledModel> {
  const source = await readModelSource(path, "serve");
  const { paths } = chooseFiles(source.paths, undefined, path);
  const files = openModelFolder(source.folder, paths);
  const { task, profile } = await detectModel(files, undefined, profileReaders, path);
  const infos = await Promise.all(paths.map((name) => stat(files.path(name))));
  return {
    id: idOfRepository(basename(resolve(path)).replace(/\.gguf$/i, "")),
    task,
    folder: source.folder,
    files: paths.map((name, i) => ({ path: name, bytes: infos[i].size, sha256: "" })),
    bytes: infos.reduce((sum, { size }) => sum + size, 0),
    installedAt: new Date(Math.max(...infos.map(({ mtimeMs }) => mtimeMs))).toISOString(),
    ...(profile ? { profile } : {}),
  };
}
