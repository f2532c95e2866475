/**
 * Packages of models in the state folder.
 *
 * @module
 */
import { readdir, rm } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { thisMachine } from "../../platform/processes/processes.ts";
import type { ModelPackage } from "./model_package.ts";

/** The folder of all fetched packages. */
export function packagesFolder(): string {
  return join(appDirectory(), "packages");
}

/** The folder that a package is kept in: its name tells version and content, so that it never holds anything else. */
export function keptFolder({ name, version, sha256 }: ModelPackage): string {
  return join(packagesFolder(), `${name.replace(/^@svc\//, "")}-${version}-${sha256.slice(0, 16)}`);
}

/** The package's folder when it was fetched and every file is as published; a damaged one is removed. */
export async function findFetched(model: ModelPackage): Promise<string | undefined> {
  const folder = keptFolder(model);
  for (const { path, bytes, sha256 } of model.files) {
    const found = await hashFile(join(folder, path), () => {}, new AbortController().signal).catch(() => undefined);
    if (found?.bytes === bytes && found.sha256 === sha256) continue;
    if (found) await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  return folder;
}

/** A new folder for a package on its way; those of processes that have ended are removed. */
export async function arrivingFolder(): Promise<string> {
  const names = await readdir(packagesFolder()).catch(() => []);
  for (const name of names) {
    const [, pid] = /^\.(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
    if (pid === undefined || thisMachine.isRunning(Number(pid))) continue;
    await rm(join(packagesFolder(), name), { recursive: true, force: true });
  }
  return join(packagesFolder(), `.${thisMachine.pid}-${crypto.randomUUID()}`);
}
