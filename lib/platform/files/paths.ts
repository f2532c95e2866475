/**
 * Paths as this system writes them.
 *
 * @module
 */
export { basename, dirname, join, resolve } from "node:path";
export { fileURLToPath, pathToFileURL } from "node:url";
