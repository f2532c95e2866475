/**
 * Packages that are installed beside this one.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { requireOf } from "./package_require.ts";

/** A package in a `node_modules` folder. */
export interface InstalledPackage {
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
