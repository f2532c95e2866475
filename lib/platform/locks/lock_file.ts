/**
 * A lock that keeps a second process out of a folder.
 *
 * @module
 */
import { FolderLockedError } from "../../errors/option_error.ts";
import { mkdir, rename, rm, rmdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { diskReason } from "../files/disk_reason.ts";
import { makeOwnFolder } from "../files/work_folder.ts";
import { type Processes, thisMachine } from "../processes/processes.ts";
import { BEAT, describeSelf, type FoundLock, isAlive, readLock } from "./lock_holder.ts";

/** Maximum number of attempts while other processes take the lock over, each with some disk accesses. */
const ATTEMPTS = 50;

/** What a rename onto a lock that is held fails with, the last two on Windows. */
const HELD = ["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM", "EACCES"];

/** A lock held by this process. */
export interface FolderLock {
  /** Removes the lock; a second call does nothing. */
  release(): Promise<void>;
}

/** Dependencies of a lock; replaced by tests. */
export interface FolderLockOptions {
  readonly processes?: Processes;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** Called before a holder that cannot be seen is watched for some seconds, with its description. */
  readonly onWait?: (holder: string) => void;
  /** Called when another process has taken over the lock because this one had stalled for seconds. */
  readonly onLost?: (error: FolderLockedError) => void;
}

/**
 * Locks a folder, which is created if missing. The lock of a process that has died is taken over: at once where that
 * process can be seen to be gone, after {@linkcode isAlive} has watched it where it cannot.
 *
 * The lock is a folder `server.lock` with one file, whose name is the holder's own. A rename puts the folder there in
 * one step, and only where there is none or an empty one; a dead holder's file is removed by its name. So of many
 * processes one succeeds, and none can remove the lock of another but the one that it has judged.
 *
 * @throws {FolderLockedError} when another process holds it.
 * @throws {Error} with the reason and the remedy when the folder cannot be made or written to.
 */
export async function lockFolder(folder: string, options: FolderLockOptions = {}): Promise<FolderLock> {
  try {
    return await acquire(folder, options);
  } catch (cause) {
    const isFile = ["EEXIST", "ENOTDIR"].includes((cause as { code?: string }).code ?? "");
    const reason = isFile ? "a file is in its place, choose another location" : diskReason(cause);
    throw reason === undefined ? cause : new Error(`Cannot use ${folder}: ${reason}`, { cause });
  }
}

async function acquire(folder: string, options: FolderLockOptions): Promise<FolderLock> {
  const { processes = thisMachine, wait = sleep, onWait = () => {} } = options;
  const path = join(folder, "server.lock");
  const name = `${crypto.randomUUID()}.json`;
  const text = JSON.stringify(await describeSelf(processes));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await makeOwnFolder(folder);
    if (await take(folder, path, name, text)) return held(folder, path, join(path, name), options);
    const found = await readLock(path);
    if (!found) {
      await rmdir(path).catch(() => {}); // where a rename does not replace an empty folder
      continue;
    }
    if (await isAlive(found, processes, wait, () => onWait(describe(found)))) {
      throw new FolderLockedError(
        `Cannot use ${folder}: ${describe(found)} is using it, stop that one or choose another folder`,
      );
    }
    await rm(found.file, { force: true }).catch(() => {}); // a folder now: others have taken it over
  }
  throw new FolderLockedError(
    `Cannot use ${folder}: other processes are taking its lock, try again or choose another folder`,
  );
}

/** Puts the lock there in one step; false when somebody holds it. */
async function take(folder: string, path: string, name: string, text: string): Promise<boolean> {
  const prepared = join(folder, `.server.lock.${crypto.randomUUID()}.tmp`);
  try {
    await mkdir(prepared, { mode: 0o700 });
    await writeFile(join(prepared, name), text, { mode: 0o600 });
    return await rename(prepared, path).then(() => true, (error) => {
      if (HELD.includes(error.code)) return false;
      throw error;
    });
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return false; // a holder is clearing the folder up
    throw error;
  } finally {
    await rm(prepared, { recursive: true, force: true });
  }
}

function held(folder: string, path: string, file: string, { onLost }: FolderLockOptions): FolderLock {
  let released = false;
  const beats = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch((error) => {
      if (error.code !== "ENOENT" || released) return;
      clearInterval(beats);
      const message = `Cannot continue in ${folder}: another process has taken it over while this one stood still`;
      onLost?.(new FolderLockedError(message));
    });
  }, BEAT);
  beats.unref();
  return {
    release: async () => {
      released = true;
      clearInterval(beats);
      await rm(file, { force: true });
      await rmdir(path).catch(() => {}); // gone, or the next holder's
    },
  };
}

function describe({ holder, file }: FoundLock): string {
  if (!holder) return `a process that ${file} does not name`;
  return `process ${holder.pid} (on ${holder.host}, since ${holder.since})`;
}
