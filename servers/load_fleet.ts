/**
 * Finds the fleet, which is a package of its own: beside these modules where they are a clone, else as `@svc/fleet`.
 *
 * @module
 */
import { SvcError } from "../lib/errors/svc_error.ts";
import { access } from "../lib/platform/files/file_system.ts";
import { join, pathToFileURL } from "../lib/platform/files/paths.ts";
import { installedPackage } from "../lib/platform/modules/packages.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { siblingModule } from "../lib/platform/workers/spawn_worker.ts";
import type { FleetPackage } from "./flags/fleet_flags.ts";

const NAME = "@svc/fleet";
const PACKAGE = `${NAME}@${VERSION}`;

/**
 * Loads the fleet.
 *
 * @param purpose What it is for, such as `run svc cluster init`.
 * @param base The `import.meta.url` of a module beside which it may be.
 * @throws {Error} when the package is not installed, is not of this version, or belongs to another copy of the SDK.
 */
export async function loadFleet(purpose: string, base: string = import.meta.url): Promise<FleetPackage> {
  const install = base.startsWith("file:") ? `npm install ${PACKAGE}` : `deno add jsr:${PACKAGE}`;
  const fail = (reason: string, cause?: unknown): Error =>
    new Error(`Cannot ${purpose}: ${reason}, run ${install}`, { cause });
  const { fleet } = await import(await findFleet(base, fail)).catch((cause) => {
    throw fail(`${PACKAGE} cannot be loaded (${(cause as Error).message})`, cause);
  }) as { fleet: FleetPackage };
  // Errors are recognised by their class.
  if (fleet.SvcError !== SvcError) {
    throw fail(`${NAME} is installed with another copy of @svc/sdk, install both in one place`);
  }
  return fleet;
}

/** The specifier of the fleet's module. Modules that come from a server find it where they are from. */
async function findFleet(base: string, fail: (reason: string) => Error): Promise<string> {
  if (!base.startsWith("file:")) return `jsr:${PACKAGE}`;
  const beside = siblingModule("../fleet/mod", base);
  if (await exists(beside)) return beside.href;
  const found = installedPackage(NAME, base) ?? installedPackage(NAME, pathToFileURL("module.js").href);
  if (found === undefined) throw fail(`fleets are a package of their own that is not installed`);
  if (found.version !== VERSION) {
    throw fail(`${NAME} ${found.version} is installed, expected ${VERSION} as that of @svc/sdk`);
  }
  return pathToFileURL(join(found.folder, "fleet/mod.js")).href;
}

async function exists(file: URL): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
