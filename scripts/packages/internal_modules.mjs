/**
 * The modules of the SDK that the package `@svc/fleet` imports. npm's manifest exports all modules as
 * `./internal/PATH`; JSR takes no patterns, so that deno.json has to list them. They are nobody else's: both packages
 * have one version.
 *
 *   node scripts/packages/internal_modules.mjs    writes the list into deno.json
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";

/** What the names of internal entry points begin with. */
export const INTERNAL = "./internal/";

/** Imports of modules, static and dynamic ones. */
const IMPORT = /(\b(?:from|import)\s*\(?\s*")(\.{1,2}\/[^"\s]+)(?=")/g;

/**
 * The code of a module of the fleet with its imports of the SDK's modules by the names of these entry points.
 *
 * @param {string} path from the root, such as `fleet/mod.ts` or, built, `fleet/mod.js`
 * @param {string} code
 * @param {(module: string) => void} [onModule] called with the path of each module of the SDK
 */
export function importSdk(path, code, onModule = () => {}) {
  return code.replace(IMPORT, (all, before, specifier) => {
    const target = posix.join(posix.dirname(path), specifier);
    if (target.startsWith("fleet/")) return all;
    onModule(target);
    return `${before}@svc/sdk/internal/${target.replace(/\.[jt]s$/, "")}`;
  });
}

/** Paths of the sources of the fleet from the root. */
export function fleetSources() {
  return readdirSync(new URL("fleet/", root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts")).map((name) => `fleet/${name.replaceAll("\\", "/")}`).sort();
}

/** The internal entry points that deno.json has to have. */
export function internalExports() {
  /** @type {Set<string>} */
  const modules = new Set();
  for (const path of fleetSources()) {
    importSdk(path, readFileSync(new URL(path, root), "utf8"), (module) => modules.add(module));
  }
  const names = [...modules].sort().map((module) => [`${INTERNAL}${module.replace(/\.ts$/, "")}`, `./${module}`]);
  return Object.fromEntries(names);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("deno.json", root);
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const others = Object.entries(manifest.exports).filter(([name]) => !name.startsWith(INTERNAL));
  manifest.exports = { ...Object.fromEntries(others), ...internalExports() };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
