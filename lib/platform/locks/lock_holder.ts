/**
 * Who holds a lock, and whether that process still lives.
 *
 * @module
 */
import { open, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Processes, thisMachine } from "../processes/processes.ts";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two signs of life of a holder. */
export const BEAT = 1000;

/** Milliseconds without a sign of life after which a holder that cannot be seen counts as dead. */
const SILENCE = 5000;

/** Milliseconds between two looks at a holder that cannot be seen. */
const LOOK = 250;

/** Longest text of a lock. */
const MAX_BYTES = 4096;

/** What a lock says about its holder. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** As {@linkcode Processes.scope}; absent where the system does not say. */
  readonly scope?: string;
  /** As {@linkcode Processes.startTime}. */
  readonly started?: string;
}

/** A lock on disk. */
export interface FoundLock {
  readonly path: string;
  /** The file to remove once the holder is dead. Its name belongs to one holder, so that no other loses its lock. */
  readonly file: string;
  /** Changes with every sign of life. */
  readonly beat: number;
  /** Undefined when the file does not say. */
  readonly holder: LockHolder | undefined;
}

/** What a lock of this process says. */
export async function describeSelf(processes: Processes): Promise<LockHolder> {
  const [scope, started] = [await processes.scope?.(), processes.startTime?.(processes.pid)];
  return {
    pid: processes.pid,
    host: hostname(),
    since: new Date().toISOString(),
    ...(scope === undefined ? {} : { scope }),
    ...(started === undefined ? {} : { started }),
  };
}

/** Reads the lock at a path: a folder with one file. Undefined when nobody holds it. */
export async function readLock(path: string): Promise<FoundLock | undefined> {
  try {
    const [name] = await readdir(path).catch((error) => {
      if (error.code === "ENOTDIR") return [""]; // not by this version: the file itself is the lock
      throw error;
    });
    if (name === undefined) return undefined;
    const file = join(path, name);
    // Opened, not just looked at: a network file system then asks its server.
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(MAX_BYTES), 0, MAX_BYTES, 0);
      const holder = parseHolder(new TextDecoder().decode(buffer.subarray(0, bytesRead)));
      return { path, file, beat: (await handle.stat()).mtimeMs, holder };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether the holder of a lock lives. Where process ids mean the same to both, id and start time decide at once. A
 * holder in another container, on another machine or from before a reboot cannot be seen: it is watched for signs of
 * life.
 */
export async function isAlive(
  { path, file, beat, holder }: FoundLock,
  processes: Processes,
  wait: (milliseconds: number) => Promise<unknown>,
  onWait: () => void,
): Promise<boolean> {
  if (holder?.scope !== undefined && holder.scope === await processes.scope?.()) {
    if (!processes.isRunning(holder.pid)) return false;
    const started = processes.startTime?.(holder.pid);
    if (started !== undefined && holder.started !== undefined) return started === holder.started;
  }
  onWait();
  for (let waited = 0; waited < SILENCE; waited += LOOK) {
    await wait(LOOK);
    const now = await readLock(path);
    if (now?.file !== file) return false;
    if (now.beat !== beat) return true;
  }
  return false;
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text) as LockHolder;
    const named = [holder.host, holder.since].every((word) => /^[\w.:-]{1,255}$/.test(word));
    return Number.isInteger(holder.pid) && holder.pid > 0 && named ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the file, and gives signs of life in it until the function that this returns removes it. */
export async function holdLockFile(path: string, processes: Processes = thisMachine): Promise<() => Promise<void>> {
  await writeFile(path, JSON.stringify(await describeSelf(processes)), { flag: "wx", mode: 0o600 });
  const beats = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT);
  beats.unref();
  return async () => {
    clearInterval(beats);
    await rm(path, { force: true });
  };
}

/** Whether the process that wrote such a file is still at work; one that cannot be seen is watched for some seconds. */
export async function isHeld(path: string, processes: Processes = thisMachine): Promise<boolean> {
  const found = await readLock(path).catch(() => undefined);
  return found !== undefined && await isAlive(found, processes, sleep, () => {});
}
