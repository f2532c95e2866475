/**
 * Makes folders.
 *
 * @module
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it. One after another: Node's own recursive call never ends where a folder can exist
 * but nothing can be made in it, as below `/proc`.
 *
 * @throws the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path);; at = dirname(at)) {
    const found = await stat(at).catch((error) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found?.isDirectory()) break;
    if (found) throw Object.assign(new Error(`ENOTDIR: not a directory, '${at}'`), { code: "ENOTDIR", path: at });
    if (dirname(at) === at) break;
    missing.push(at);
  }
  for (const each of missing.reverse()) {
    await mkdir(each).catch((error) => {
      if (error.code !== "EEXIST") throw error; // another process was faster
    });
  }
}
