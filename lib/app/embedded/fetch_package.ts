/**
 * Fetches packages of models.
 *
 * @module
 */
import { diskReason } from "../../platform/files/disk_reason.ts";
import { mkdir, rename, rm, writeFile } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { waitFor } from "../../platform/locks/locked.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { arrivingFolder, findFetched, keptFolder } from "./fetched_packages.ts";
import type { ModelPackage, PackageFile } from "./model_package.ts";
import { packageUrl } from "./package_url.ts";

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
      const bytes = await fetchFile(new URL(file.path, url), file, remedy(id, model));
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
