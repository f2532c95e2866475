/**
 * GGUF files without their ending, as stores by hash keep them.
 *
 * @module
 */
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { stat } from "../platform/files/file_system.ts";
import { findOllamaProjector } from "./found/ollama_models.ts";
import { readPart } from "../platform/files/read_part.ts";

/** The names that such files get. */
const BLOB_NAME = "model.gguf";
const PROJECTOR_NAME = "mmproj.gguf";

const MAGIC = "GGUF";

/** Whether a path is such a file, by its first bytes. */
export async function isGgufBlob(path: string): Promise<boolean> {
  if (/\.(gguf|whl)$/i.test(path)) return false;
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile() || info.size < MAGIC.length) return false;
  return new TextDecoder().decode(await readPart(path, 0, MAGIC.length)) === MAGIC;
}

/** The files of such a model: itself, and the projector of images that its store names with it. */
export async function blobFiles(path: string): Promise<ModelFiles> {
  const projector = await findOllamaProjector(path);
  const paths: Readonly<Record<string, string>> = {
    [BLOB_NAME]: path,
    ...projector === undefined ? {} : { [PROJECTOR_NAME]: projector },
  };
  return {
    names: Object.keys(paths),
    path: (name) => paths[name],
    read: async (name) => await readPart(paths[name], 0, (await stat(paths[name])).size),
    readPart: (name, start, length) => readPart(paths[name], start, length),
  };
}
