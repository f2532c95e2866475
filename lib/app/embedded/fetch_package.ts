/**
 * Fetches packages of models, and keeps them in the state folder.
 *
 * @module
 */
import { diskReason } from "../../platform/files/disk_reason.ts";
import { mkdir, readdir, rename, rm, writeFile } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { waitFor } from "../../platform/locks/locked.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { modelPackages } from "./generated.ts";
import type { ModelPackage, PackageFile } from "./model_package.ts";
import { halvedAutoencoder } from "../../models/video_vae/halved_autoencoder.ts";
import { HELD, MADE } from "./shared_autoencoder.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { thisMachine } from "../../platform/processes/processes.ts";
import { environmentVariable } from "../../platform/processes/runtime.ts";

/** Attempts at one file. */
const ATTEMPTS = 4;

/** Milliseconds that an attempt at one file may take. */
const TIMEOUT = 300_000;

/** An answer that will be the same the next time. */
class RefusedError extends Error {}

/**
 * Fetches a package into the state folder, where it appears whole or not at all, and returns its folder. Every file is
 * compared with the hash that this version of the SDK was published with.
 *
 * @throws {SvcError} `repository_unavailable`, `corrupt_download`, `disk_full`
 */
export async function fetchPackage(id: string, model: ModelPackage, module: string): Promise<string> {
  const url = packageUrl(model, `models/${id}`, module);
  const arriving = await arrivingFolder();
  const kept = keptFolder(model);
  try {
    for (const file of model.files) {
      const at = new URL(file.path, url);
      const bytes = at.href === new URL(`../../../models/${MADE}`, module).href
        ? halvedAutoencoder(
          HELD,
          await fetchFile(new URL(`../../../models/${HELD}`, module), heldFile(), remedy(id, model)),
        )
        : await fetchFile(at, file, remedy(id, model));
      const target = join(arriving, file.path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, bytes);
    }
    await rename(arriving, kept).catch(async (error) => {
      if (await findFetched(model) === undefined) throw error; // else another process was faster
    });
    return kept;
  } catch (error) {
    const reason = diskReason(error);
    if (reason === undefined) throw error;
    throw new SvcError("disk_full", `Cannot keep ${model.name} in ${kept}: ${reason}; ${remedy(id, model)}`);
  } finally {
    await rm(arriving, { recursive: true, force: true });
  }
}

/** What is served where the repository itself was imported from a server: it holds the autoencoder once. */
function heldFile(): PackageFile {
  return modelPackages["corridor-nano"].files.find(({ path }) => HELD.endsWith(`/${path}`))!;
}

async function fetchFile(url: URL, file: PackageFile, remedy: string): Promise<Uint8Array> {
  for (let attempt = 1;; attempt++) {
    try {
      return await tryFile(url, file, remedy);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (attempt === ATTEMPTS || error instanceof RefusedError) {
        const { message, cause } = error as { message?: string; cause?: { message?: string } };
        throw new SvcError(
          "repository_unavailable",
          `Cannot fetch ${url.href}: ${cause?.message ?? message}; ${remedy}`,
        );
      }
      await waitFor(250 * 4 ** (attempt - 1), new AbortController().signal);
    }
  }
}

async function tryFile(url: URL, { bytes, sha256 }: PackageFile, remedy: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
  if (!response.ok) {
    await response.body?.cancel();
    const message = `the server answered ${response.status}`;
    throw response.status < 500 && response.status !== 429 ? new RefusedError(message) : new Error(message);
  }
  const content = new Uint8Array(bytes);
  let done = 0;
  for await (const part of response.body ?? []) {
    if (done + part.length > bytes) throw corrupt(url, `has more than ${bytes} bytes`, remedy);
    content.set(part, done);
    done += part.length;
  }
  if (done < bytes) throw new Error(`the connection ended after ${done} of ${bytes} bytes`);
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
  if (hash !== sha256) throw corrupt(url, `has the SHA-256 ${hash}, expected ${sha256}`, remedy);
  return content;
}

function corrupt(url: URL, what: string, remedy: string): SvcError {
  return new SvcError("corrupt_download", `Cannot use ${url.href}: it ${what}; ${remedy}`);
}

function remedy(id: string, { name, version }: ModelPackage): string {
  return `once ${id} is on this machine no network is needed: run npm install ${name}@${version} beside @svc/sdk, or ` +
    "set SVC_PACKAGES_URL to a mirror of jsr.io";
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The folder of all fetched packages. */
function packagesFolder(): string {
  return join(appDirectory(), "packages");
}

/**
 * The folder that a package is kept in: its name contains version and content, so that it never holds anything else.
 */
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
async function arrivingFolder(): Promise<string> {
  const names = await readdir(packagesFolder()).catch(() => []);
  for (const name of names) {
    const [, pid] = /^\.(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
    if (pid === undefined || thisMachine.isRunning(Number(pid))) continue;
    await rm(join(packagesFolder(), name), { recursive: true, force: true });
  }
  return join(packagesFolder(), `.${thisMachine.pid}-${crypto.randomUUID()}`);
}

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
