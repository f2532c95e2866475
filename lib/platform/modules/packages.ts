/**
 * Packages that are installed beside this one.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A package in a `node_modules` folder. */
interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
}

/** Finds a package where the given module, or the working directory, would import it from. */
export function installedPackage(name: string, module: string): InstalledPackage | undefined {
  try {
    const file = requireOf(module).resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(file, "utf8"));
    return { folder: dirname(file), version: String(version) };
  } catch {
    return undefined;
  }
}

/**
 * The `require` of a module on disk; for one that was imported from a server, which has none, that of the working
 * directory.
 *
 * @param module The module's `import.meta.url`.
 */
export function requireOf(module: string): NodeJS.Require {
  return createRequire(fileOf(module));
}

/** The module's own URL when it is on disk, else that of a file in the working directory, which need not exist. */
export function fileOf(module: string): URL {
  return module.startsWith("file:") ? new URL(module) : pathToFileURL(join(process.cwd(), "module.js"));
}

interface Scope {
  require?: unknown;
  __filename?: string;
}

/**
 * Does work, such as an import, while `require` and `__filename` are global variables. One work at a time. `location`, which
 * workers of Deno have, is hidden: scripts would take its address, which may be that of a server, for their own file.
 */
export async function inCommonJsScope<T>(work: () => Promise<T>): Promise<T> {
  const scope = globalThis as Scope;
  const { require, __filename } = scope;
  const location = Object.getOwnPropertyDescriptor(scope, "location");
  if (location) Object.defineProperty(scope, "location", { value: undefined, configurable: true });
  scope.require = requireOf(import.meta.url);
  scope.__filename = fileURLToPath(fileOf(import.meta.url));
  try {
    return await work();
  } finally {
    if (location) Object.defineProperty(scope, "location", location);
    Object.assign(scope, { require, __filename });
    if (require === undefined) delete scope.require;
    if (__filename === undefined) delete scope.__filename;
  }
}
