/**
 * Model files on disk.
 *
 * @module
 */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelFiles } from "../../engines/files/model_files.ts";

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
    readPart: async (name, start, length) => {
      const file = await open(path(name), "r");
      try {
        const size = Math.max(0, Math.min(length, (await file.stat()).size - start));
        const bytes = new Uint8Array(size);
        let done = 0;
        while (done < size) {
          const { bytesRead } = await file.read(bytes, done, size - done, start + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return bytes.subarray(0, done);
      } finally {
        await file.close();
      }
    },
  };
}
