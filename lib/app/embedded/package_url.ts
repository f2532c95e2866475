/**
 * Where packages are published.
 *
 * @module
 */
import { environmentVariable } from "../../platform/processes/runtime.ts";
import type { ModelPackage } from "./model_package.ts";

/** The registry that serves the files of packages one by one, under `/@scope/name/version/path`. */
const REGISTRY = "https://jsr.io/";

/**
 * The URL of a package's files: that of the registry that this module was imported from, of the mirror in
 * `SVC_PACKAGES_URL`, or of jsr.io. Where the repository itself was imported from a server, of its `models/`.
 *
 * @param module The URL of a module of this package.
 * @param path The folder of the package's files in the repository.
 */
export function packageUrl({ name, version }: ModelPackage, path: string, module: string): URL {
  const mirror = environmentVariable("SVC_PACKAGES_URL");
  const [, registry] = /^(https?:\/\/.*?\/)@svc\/sdk\/[^/]+\//.exec(module) ?? [];
  if (mirror === undefined && registry === undefined && /^https?:/.test(module)) {
    return new URL(`../../../${path}/`, module);
  }
  const base = mirror?.trim() || registry || REGISTRY;
  return new URL(`${name}/${version}/`, base.endsWith("/") ? base : `${base}/`);
}
