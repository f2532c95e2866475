/**
 * What an arworld keeps on disk besides its world: encoded texts, which cost gigabytes of weights to encode again, and
 * states that neither the device nor ordinary memory has room for.
 *
 * @module
 */
import type { TextStore } from "../../models/arworld/text/text_stream.ts";
import { replaceFile } from "../../platform/files/atomic_write.ts";
import { readdir, readFile, rm, stat, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { makePrivateFolder, makeWorkFolder, type TemporaryDirectory } from "../../platform/files/work_folder.ts";
import type { StateFiles } from "../../models/arworld/sampling/parked_states.ts";

/** Files that are kept; each has at most a few megabytes. */
const KEPT_FILES = 64;

const NAME = /^[0-9a-f]{64}\.f32$/;

/**
 * The store of a user. What cannot be read or written counts as not kept: the text is then encoded again.
 *
 * @param state The user's folder of state; without one nothing is kept.
 */
export function encodedTexts(state: string | undefined): TextStore {
  if (state === undefined) return { get: () => Promise.resolve(undefined), set: () => Promise.resolve() };
  const folder = join(state, "encoded-texts");
  const pathOf = (key: string) => join(folder, `${key}.f32`);
  return {
    async get(key) {
      const bytes = await readFile(pathOf(key)).catch(() => undefined);
      if (!bytes || bytes.byteLength % 4 !== 0) return undefined;
      const rows = new Float32Array(bytes.byteLength / 4);
      new Uint8Array(rows.buffer).set(bytes);
      return rows.every(Number.isFinite) ? rows : undefined;
    },
    async set(key, rows) {
      if (await makePrivateFolder(folder) !== undefined) return;
      const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
      await replaceFile(pathOf(key), bytes, 0o600).catch(() => {});
      await dropOldest(folder).catch(() => {});
    },
  };
}

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  if (names.length <= KEPT_FILES) return;
  const times = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  times.sort((a, b) => a.time - b.time);
  for (const { name } of times.slice(0, names.length - KEPT_FILES)) await rm(join(folder, name), { force: true });
}

/**
 * Files in a private folder, which is made when the first is written.
 *
 * @param root Where it is made; the caller removes it, after a crash too. By default below the temporary directory.
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
