/**
 * Blobs in a folder that all machines of a fleet share.
 *
 * @module
 */
import type { BlobStore } from "../../cluster/protocol/blobs.ts";
import { replaceFile } from "../../platform/files/atomic_write.ts";
import { mkdir, readFile, stat } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";

/** Blobs in a folder, spread over folders by the first two digits of their hashes. */
export function sharedBlobs(folder: string): BlobStore {
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
  return {
    async put(sha256, bytes) {
      const path = pathOf(sha256);
      const known = await stat(path).catch(() => undefined);
      if (known?.size === bytes.length) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, bytes, 0o600);
    },
    async get(sha256) {
      return await readFile(pathOf(sha256)).then((bytes) => new Uint8Array(bytes), () => undefined);
    },
  };
}
