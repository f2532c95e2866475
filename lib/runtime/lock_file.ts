/**
 * A lock file that keeps a second process out of a folder.
 *
 * @module
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

/** The folder is in use; the message names the process and the remedy. */
export class FolderLockedError extends Error {
  override name = "FolderLockedError";
}

/** A lock that this process holds. */
export interface FolderLock {
  /** Removes the lock; a second call does nothing. */
  release(): Promise<void>;
}

/** The processes of the machine; a test brings its own. */
export interface Processes {
  readonly pid: number;
  isRunning(pid: number): boolean;
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
  // Two processes may find the same stale lock: whoever loses the race looks once more.
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      await writeFile(path, mine, { flag: "wx" });
      return {
        release: async () => {
          if (await readText(path) === mine) await rm(path, { force: true });
        },
      };
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
    const found = await readText(path);
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

const thisMachine: Processes = {
  pid: process.pid,
  isRunning: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as { code?: string }).code === "EPERM"; // it is there, but not ours
    }
  },
};

/** Moves a stale lock aside and deletes it, unless somebody has replaced it in the meantime. */
async function removeStale(path: string, found: string | undefined): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if (await readText(aside) === found) await rm(aside, { force: true });
  else await rename(aside, path);
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
