/**
 * `require` of modules that may come from anywhere.
 *
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

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
