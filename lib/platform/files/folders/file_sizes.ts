/**
 * The files below a folder.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Files looked at together. */
const TOGETHER = 64;

/** Path and bytes of every file below a folder, the oldest first. What vanishes meanwhile is left out. */
export async function fileSizes(folder: string): Promise<Map<string, number>> {
  const found: { path: string; bytes: number; modified: number }[] = [];
  const names = await readdir(folder, { recursive: true });
  for (let i = 0; i < names.length; i += TOGETHER) {
    await Promise.all(
      names.slice(i, i + TOGETHER).map(async (name) => {
        const path = join(folder, name);
        const info = await stat(path).catch(() => undefined);
        if (info?.isFile()) found.push({ path, bytes: info.size, modified: info.mtimeMs });
      }),
    );
  }
  const byAge = found.sort((a, b) => a.modified - b.modified || (a.path < b.path ? -1 : 1));
  return new Map(byAge.map(({ path, bytes }) => [path, bytes]));
}
