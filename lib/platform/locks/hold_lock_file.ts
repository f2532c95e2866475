/**
 * A file that says which process is at work.
 *
 * @module
 */
import { rm, utimes, writeFile } from "node:fs/promises";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Processes, thisMachine } from "../processes/processes.ts";
import { BEAT, describeSelf, isAlive, readLock } from "./lock_holder.ts";

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
