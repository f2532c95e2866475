/** The files that a module needs, with all relative imports followed. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Paths below `root`, the entry's first. Imports of packages are refused: what is published from here has none.
 *
 * @param {string} root
 * @param {string} entry path below root
 * @param {(path: string) => string} fileOf file of an imported path, such as the declarations of a module
 */
export function sourceClosure(root, entry, fileOf = (path) => path) {
  const files = new Set([entry]);
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, specifier] of text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"\s]+)"/g)) {
      if (!specifier.startsWith(".")) throw new Error(`${file} imports ${specifier}, expected relative imports only`);
      const path = fileOf(join(dirname(file), specifier).replaceAll("\\", "/"));
      if (!existsSync(join(root, path))) throw new Error(`${file} imports ${specifier}: there is no ${path}`);
      files.add(path);
    }
  }
  return [...files];
}
