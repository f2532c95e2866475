/**
 * Files for kept states of a world that neither the device nor ordinary memory has room for.
 *
 * @module
 */
import type { StateFiles } from "../../models/arworld/sampling/parked_states.ts";
import { readFile, rm, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { makeWorkFolder, type TemporaryDirectory } from "../../platform/files/work_folder.ts";

/**
 * Files in a private folder, which is made when the first is written.
 *
 * @param root Where it is made; who gave it removes it, after a crash too. By default below the temporary directory.
 */
export function stateParking(root?: string): StateFiles {
  let folder: Promise<TemporaryDirectory> | undefined;
  let count = 0;
  return {
    async write(bytes) {
      folder ??= makeWorkFolder(root);
      folder.catch(() => folder = undefined); // on a disk that is full; the next try may be luckier
      const { path } = await folder;
      const file = join(path, `${count++}.state`);
      try {
        await writeFile(file, bytes, { mode: 0o600 });
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      return { read: async () => new Uint8Array(await readFile(file)), remove: () => rm(file, { force: true }) };
    },
  };
}
