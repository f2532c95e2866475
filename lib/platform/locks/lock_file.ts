/**
 * A lock file that keeps a second process out of a folder.
 *
 * @module
 */
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Processes, thisMachine } from "../processes/processes.ts";

/** Milliseconds after which no process can still be removing a stale lock. */
const TAKEOVER_TIMEOUT = 10_000;

/** Maximum number of attempts while other processes take the lock over, each with some disk accesses. */
const ATTEMPTS = 50;

/** The folder is in use; the message names the process and the remedy. */
export class FolderLockedError extends Error {
  override name = "FolderLockedError";
}

/** A lock held by this process. */
export interface FolderLock {
  /** Removes the lock; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Locks a folder, which is created if missing. A lock whose process has exited, or that carries this process's id from
 * before a reboot, is stale and taken over.
 *
 * @throws {FolderLockedError} when another process holds it.
 */
export async function lockFolder(folder: string, processes: Processes = thisMachine): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "server.lock");
  const mine = JSON.stringify({ pid: processes.pid, id: crypto.randomUUID() });
  // Several processes may find the same stale lock: a loser of the race tries again.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createWhole(path, mine)) {
      return {
        release: async () => {
          if (await readText(path) === mine) await rm(path, { force: true });
        },
      };
    }
    const found = await readText(path);
    // It was released meanwhile. It must not be removed: it may already be the next holder's.
    if (found === undefined) continue;
    const pid = ownerOf(found);
    if (pid !== undefined && pid !== processes.pid && processes.isRunning(pid)) {
      throw new FolderLockedError(
        `Cannot use ${folder}: process ${pid} is using it, stop that one or choose another --state-directory; ` +
          `if that is not an svc server, delete ${path}`,
      );
    }
    await removeStale(path, found);
  }
  throw new FolderLockedError(`Cannot use ${folder}: other processes are taking its lock, try again`);
}

/** Removes a stale lock, unless it was replaced in the meantime; one process at a time may do so. */
async function removeStale(path: string, found: string): Promise<void> {
  const turn = `${path}.takeover`;
  if (!await createWhole(turn, "")) {
    // A process that held this for long has died doing it.
    const { mtimeMs } = await stat(turn).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > TAKEOVER_TIMEOUT) await rm(turn, { force: true });
    return;
  }
  try {
    if (await readText(path) === found) await rm(path, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

/** Creates a file with its content atomically; false when it exists. */
async function createWhole(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  await writeFile(temporary, text);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, "utf8").catch(() => undefined);
}

function ownerOf(text: string | undefined): number | undefined {
  try {
    const { pid } = JSON.parse(text ?? "") as { pid?: unknown };
    return Number.isInteger(pid) && (pid as number) > 0 ? pid as number : undefined;
  } catch {
    return undefined;
  }
}
