/**
 * Blobs in a folder that all machines of a fleet share.
 *
 * @module
 */
import type { CollectableBlobs, StoredBlob } from "./blob_store.ts";
import { replaceFile } from "../../lib/platform/files/atomic_write.ts";
import { link, mkdir, readdir, readFile, rename, rm, stat, utimes } from "../../lib/platform/files/file_system.ts";
import { dirname, join } from "../../lib/platform/files/paths.ts";

const HASH = /^[0-9a-f]{64}$/;

/** What a blob is called while it is removed. */
const LEAVING = ".removed";

/** Leftovers of a write whose process was killed, and milliseconds after which no process can still be writing it. */
const UNFINISHED = /^\..*\.tmp$/;
const UNFINISHED_FOR = 86_400_000;

/**
 * Blobs in a folder, spread over folders by the first two digits of their hashes. The time of a file is that of its
 * last `put`.
 */
export function sharedBlobs(folder: string): CollectableBlobs {
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
  const find = async (sha256: string): Promise<StoredBlob | undefined> => {
    const info = await stat(pathOf(sha256)).catch(absent);
    return info?.isFile()
      ? { sha256, size: info.size, written: info.mtimeMs, version: String(info.mtimeMs) }
      : undefined;
  };
  /** Gives a blob its name back, unless it was written again in the meantime. */
  const restore = async (path: string): Promise<void> => {
    await link(path + LEAVING, path).catch(async (error) => {
      if ((error as { code?: unknown }).code === "EEXIST") return;
      await rename(path + LEAVING, path); // a file system without links
    });
    await rm(path + LEAVING, { force: true });
  };
  return {
    async put(sha256, bytes) {
      const path = pathOf(sha256);
      const now = new Date();
      const known = await stat(path).catch(absent);
      // One that is being removed concurrently is not found, or is found to have been put again.
      if (known?.size === bytes.length && await utimes(path, now, now).then(() => true, () => false)) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, bytes, 0o600);
    },
    async get(sha256) {
      return await readFile(pathOf(sha256)).then((bytes) => new Uint8Array(bytes), () => undefined);
    },
    async *list() {
      const folders = await readdir(folder).catch((error) => absent(error) ?? []);
      for (const name of folders.filter((each) => /^[0-9a-f]{2}$/.test(each))) {
        const files = await readdir(join(folder, name));
        for (const file of files) {
          const path = join(folder, name, file);
          if (file.endsWith(LEAVING) && HASH.test(file.slice(0, -LEAVING.length))) {
            await restore(path.slice(0, -LEAVING.length));
          } else if (UNFINISHED.test(file)) {
            const since = (await stat(path).catch(absent))?.mtimeMs ?? Infinity;
            if (since < Date.now() - UNFINISHED_FOR) await rm(path, { force: true });
          }
        }
        for (const file of await readdir(join(folder, name))) {
          const blob = HASH.test(file) ? await find(file) : undefined;
          if (blob) yield blob;
        }
      }
    },
    find,
    async remove({ sha256, version }) {
      if ((await find(sha256))?.version !== version) return false;
      const path = pathOf(sha256);
      // From here on a put writes a new file; an earlier put has changed the file's time.
      const isLeaving = await rename(path, path + LEAVING).then(() => true, absent);
      if (!isLeaving) return false;
      const info = await stat(path + LEAVING).catch(absent);
      if (info && String(info.mtimeMs) !== version) {
        await restore(path);
        return false;
      }
      await rm(path + LEAVING, { force: true });
      return info !== undefined;
    },
  };
}

function absent(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== "ENOENT") throw error;
}
