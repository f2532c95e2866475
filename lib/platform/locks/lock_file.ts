/**
 * A lock file that keeps a second process out of a folder.
 *
 * @module
 */
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Processes, thisMachine } from "../processes/processes.ts";

/** Milliseconds after which nobody can still be removing a stale lock. */
const TAKEOVER_TIMEOUT = 10_000;

/** Looks at a lock that others are taking over, each with some access to the disk. */
const ATTEMPTS = 50;

/** The folder is in use; the message names the process and the remedy. */
export class FolderLockedError extends Error {
  override name = "FolderLockedError";
}

/** A lock that this process holds. */
export interface FolderLock {
  /** Removes the lock; a second call does nothing. */
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder, which is made when it is missing. A lock whose process has gone, or that carries our own
 * number from before a restart, is stale and taken over.
 *
 * @throws {FolderLockedError} when another process holds it.
 */
export async function lockFolder(folder: string, processes: Processes = thisMachine): Promise<FolderLock> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "server.lock");
  const mine = JSON.stringify({ pid: processes.pid, id: crypto.randomUUID() });
  // Several processes may find the same stale lock: whoever loses the race looks once more.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createWhole(path, mine)) {
      return {
        release: async () => {
          if (await readText(path) === mine) await rm(path, { force: true });
        },
      };
    }
    const found = await readText(path);
    // It was released meanwhile. It must not be removed: by then it may be that of the next one.
    if (found === undefined) continue;
    const pid = ownerOf(found);
    if (pid !== undefined && pid !== processes.pid && processes.isRunning(pid)) {
      throw new FolderLockedError(
        `Cannot use ${folder}: process ${pid} is using it, stop that one or choose another --state-directory; ` +
          `if it is no svc server, delete ${path}`,
      );
    }
    await removeStale(path, found);
  }
  throw new FolderLockedError(`Cannot use ${folder}: other processes are taking its lock, try again`);
}

/** Removes a stale lock, unless somebody has replaced it in the meantime; one process at a time may do so. */
async function removeStale(path: string, found: string): Promise<void> {
  const turn = `${path}.takeover`;
  if (!await createWhole(turn, "")) {
    // The process whose turn it was has died over it when that is long ago.
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

/** Creates a file with its content in one step; false when there is one. */
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
