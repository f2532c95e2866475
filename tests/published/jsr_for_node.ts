import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { ROOT } from "../support/server_process.ts";

/**
 * Lays out a package as JSR hands it to npm: as JavaScript, and of the modules only those that its entry points reach.
 * `dist` must have been built: it is the same JavaScript.
 *
 * @param files What was published.
 * @param target Folder of the package in `node_modules`.
 */
export function writeJsrForNode(files: ReadonlyMap<string, Uint8Array>, target: string): void {
  const { name, version, exports } = JSON.parse(textOf(files, "deno.json"));
  const entries = Object.entries<string>(exports).map(([entry, path]) => [entry, posix.normalize(path)]);
  const reached = new Set(entries.map(([, path]) => path));
  for (const path of reached) {
    const code = textOf(files, path).replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, specifier] of code.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"\s]+)"/g)) {
      reached.add(posix.join(posix.dirname(path), specifier));
    }
  }
  const built = (path: string) => path.replace(/\.ts$/, ".js");
  for (const path of reached) {
    const file = join(target, built(path));
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(ROOT, "dist", built(path)), file);
  }
  const modules = Object.fromEntries(entries.map(([entry, path]) => [entry, `./${built(path)}`]));
  writeFileSync(join(target, "package.json"), JSON.stringify({ name, version, type: "module", exports: modules }));
}

function textOf(files: ReadonlyMap<string, Uint8Array>, path: string): string {
  const content = files.get(path);
  if (content === undefined) throw new Error(`the package has no ${path}, which one of its modules imports`);
  return new TextDecoder().decode(content);
}
