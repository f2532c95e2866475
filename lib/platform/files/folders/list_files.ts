/**
 * Lists the files of a model folder.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** More than any model has; a folder with more is a home folder or a disk. */
const MAX_FILES = 10_000;

/**
 * Paths of all files below a folder, with `/`; hidden files and `node_modules` are skipped. Links to files count as
 * files, since model caches consist of them; links to folders are not followed.
 *
 * @throws {Error} when there are more than 10,000.
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const open = [""];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() || await isFile(join(folder, path))) paths.push(path);
    }
    if (paths.length + open.length > MAX_FILES) {
      throw new Error(`Cannot use ${folder}: it holds more than ${MAX_FILES} files, expected the folder of one model`);
    }
  }
  return paths.sort();
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((info) => info.isFile(), () => false);
}
