/**
 * GGUF files without their ending, as stores by hash keep them.
 *
 * @module
 */
import type { ModelFiles } from "../../engines/files/model_files.ts";
import { stat } from "../../platform/files/file_system.ts";
import { readPart } from "../../platform/files/read_part.ts";

/** The name that such a file gets. */
export const BLOB_NAME = "model.gguf";

const MAGIC = "GGUF";

/** Whether a path is such a file, by its first bytes. */
export async function isGgufBlob(path: string): Promise<boolean> {
  if (/\.(gguf|whl)$/i.test(path)) return false;
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile() || info.size < MAGIC.length) return false;
  return new TextDecoder().decode(await readPart(path, 0, MAGIC.length)) === MAGIC;
}

/** The one file of such a model. */
export function blobFiles(path: string): ModelFiles {
  return {
    names: [BLOB_NAME],
    path: () => path,
    read: async () => await readPart(path, 0, (await stat(path)).size),
    readPart: (_, start, length) => readPart(path, start, length),
  };
}
