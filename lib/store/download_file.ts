/**
 * Resumable downloads.
 *
 * @module
 */
import { mkdir, open, rm, stat } from "../platform/files/file_system.ts";
import { dirname, join } from "../platform/files/paths.ts";
import type { ModelFile } from "./catalog/installed_model.ts";
import type { HubFile, HubRepository } from "./catalog/hub_repository.ts";
import { diskReason } from "../platform/files/disk_reason.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import type { Hub } from "./hub.ts";
import { SvcError } from "../errors/svc_error.ts";

/** Maximum number of successive attempts without progress. */
const MAX_FAILURES = 5;

/** Milliseconds without data after which a connection counts as dead. */
const IDLE_TIMEOUT = 60_000;

/** What to say of a pull that a full disk ended. */
export const GOES_ON = "; the next pull resumes here";

/** What a download depends on. */
export interface DownloadOptions {
  readonly onTransfer: OnTransfer;
  readonly signal: AbortSignal;
  /** Waits between two attempts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Downloads a file of a repository into `folder`. A partial download is resumed; broken connections are reopened.
 *
 * @throws {SvcError} `corrupt_download` when the content is not the announced one: the file is removed then.
 * @throws {SvcError} `repository_unavailable` when the hub does not give it.
 * @throws the reason of `signal` when it aborts; the partial download stays for the next attempt.
 */
export async function downloadFile(
  hub: Hub,
  repository: HubRepository,
  file: HubFile,
  folder: string,
  options: DownloadOptions,
): Promise<ModelFile> {
  const target = join(folder, file.path);
  await mkdir(dirname(target), { recursive: true });
  const resumed = await sizeOf(target) > 0;
  await fetchAll(hub, repository, file, target, options);
  let wrong = await compare(target, file, options);
  if (typeof wrong === "string" && resumed) {
    // The existing part may belong to another version.
    await fetchAll(hub, repository, file, target, options);
    wrong = await compare(target, file, options);
  }
  if (typeof wrong !== "string") return wrong;
  throw new SvcError(
    "corrupt_download",
    `Cannot pull ${repository.name}: its file ${file.path} ${wrong}; it was removed, pull it again`,
  );
}

async function fetchAll(
  hub: Hub,
  repository: HubRepository,
  file: HubFile,
  target: string,
  { onTransfer, signal, wait }: DownloadOptions,
): Promise<void> {
  if (file.bytes === 0) await (await open(target, "w")).close();
  let done = await sizeOf(target);
  for (let failures = 0; done < file.bytes;) {
    const before = done;
    try {
      await append(hub, repository, file, target, done, signal, (now) => {
        onTransfer({ step: "download", path: file.path, done: now, total: file.bytes });
      });
      done = await sizeOf(target);
      if (done < file.bytes) throw new Error("the connection ended early");
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SvcError || diskReason(error) !== undefined) throw error;
      done = await sizeOf(target);
      failures = done > before ? 1 : failures + 1;
      if (failures >= MAX_FAILURES) throw lost(repository, file, error);
      await wait(1000 * 2 ** (failures - 1), signal);
    }
  }
}

/**
 * Writes the hub's content from `start` on, or all of it where the server does not support ranges. A connection is
 * closed when it sends nothing for a minute, or as soon as it sends too much.
 */
async function append(
  hub: Hub,
  repository: HubRepository,
  { path, bytes }: HubFile,
  target: string,
  start: number,
  signal: AbortSignal,
  onDone: (done: number) => void,
): Promise<void> {
  const idle = new AbortController();
  const giveUp = () => idle.abort(new Error("the connection sent nothing for a minute"));
  let timer = setTimeout(giveUp, IDLE_TIMEOUT);
  try {
    const content = await hub.read(repository, path, start, AbortSignal.any([signal, idle.signal]));
    const output = await open(target, content.start > 0 ? "a" : "w");
    try {
      let done = content.start;
      for await (const part of content.stream) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, IDLE_TIMEOUT);
        await output.writeFile(part);
        onDone(done += part.length);
        if (done > bytes) break;
      }
      await output.sync();
    } finally {
      await output.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The file as announced, or what differs; the file is then removed. */
async function compare(
  target: string,
  { path, bytes, gitOid, sha256 }: HubFile,
  { onTransfer, signal }: DownloadOptions,
): Promise<ModelFile | string> {
  let done = 0;
  const found = await hashFile(
    target,
    (count) => onTransfer({ step: "verify", path, done: done += count, total: bytes }),
    signal,
    { git: gitOid !== undefined },
  );
  const wrong = found.bytes !== bytes
    ? `has ${found.bytes} bytes, expected ${bytes}`
    : sha256 !== undefined && found.sha256 !== sha256
    ? `has the SHA-256 ${found.sha256}, expected ${sha256}`
    : gitOid !== undefined && found.gitOid !== gitOid
    ? `has the Git id ${found.gitOid}, expected ${gitOid}`
    : undefined;
  if (wrong === undefined) return { path, bytes, sha256: found.sha256 };
  await rm(target, { force: true });
  return wrong;
}

function lost({ name }: HubRepository, { path }: HubFile, error: unknown): SvcError {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return new SvcError(
    "repository_unavailable",
    `Cannot pull ${name}: the connection for its file ${path} broke ${MAX_FAILURES} times ` +
      `(${cause?.message ?? message}), try again to resume`,
  );
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then((info) => info.size, () => 0);
}

/** Transferred bytes of one file. */
export interface TransferProgress {
  /** The kind of transfer. */
  readonly step: "copy" | "hash" | "download" | "verify" | "convert";
  /** Path within the model. */
  readonly path: string;
  readonly done: number;
  readonly total: number;
}

/** Called on progress, at most a few times per second and file. */
export type OnTransfer = (progress: TransferProgress) => void;
