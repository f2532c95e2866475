import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** Bytes that this user can still write where `folder` is or will be. */
export async function freeBytes(folder: string): Promise<number> {
  for (let path = folder;; path = dirname(path)) {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch (error) {
      if (path === dirname(path)) throw error;
    }
  }
}
