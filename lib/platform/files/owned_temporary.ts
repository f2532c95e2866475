/**
 * Temporary files whose names say which process is writing them, so that the next one can remove what a killed process
 * left, and nothing of one that runs.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Processes, thisMachine } from "../processes/processes.ts";

/** Milliseconds without a change after which a file counts as left by a process that cannot be seen from here. */
const DAY = 24 * 60 * 60 * 1000;

/** The name that a file has until it is whole, beside it: `.NAME.SCOPE-PID-START-UUID.tmp`. */
export async function ownedTemporary(path: string, processes: Processes = thisMachine): Promise<string> {
  const start = processes.startTime?.(processes.pid) ?? "0";
  const owner = `${await scopeOf(processes)}-${processes.pid}-${start}`;
  return join(dirname(path), `${prefixOf(path)}${owner}-${crypto.randomUUID()}.tmp`);
}

/**
 * Removes the temporary files of a path whose process has ended. Those of other machines and containers, whose processes
 * cannot be seen, are removed a day after their last change.
 *
 * @param now Milliseconds since 1970.
 */
export async function removeDeadTemporaries(
  path: string,
  processes: Processes = thisMachine,
  now: number = Date.now(),
): Promise<void> {
  const prefix = prefixOf(path);
  const names = await readdir(dirname(path)).catch(() => [] as string[]);
  const here = await scopeOf(processes);
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const [, scope, pid, start] = OWNER.exec(name.slice(prefix.length)) ?? [];
    if (scope === undefined) continue;
    const file = join(dirname(path), name);
    const info = await lstat(file).catch(() => undefined);
    if (!info?.isFile()) continue;
    const isDead = scope === here ? !runs(processes, Number(pid), start) : now - info.mtimeMs > DAY;
    if (isDead) await rm(file, { force: true });
  }
}

/** Whether it is the process that made the name: ids are given again. */
function runs(processes: Processes, pid: number, start: string): boolean {
  return processes.isRunning(pid) && (start === "0" || (processes.startTime?.(pid) ?? start) === start);
}

/** Eight digits for the place where process ids mean the same processes. */
async function scopeOf(processes: Processes): Promise<string> {
  const scope = await processes.scope?.() ?? "";
  return createHash("sha256").update(scope).digest("hex").slice(0, 8);
}

const OWNER = /^([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

function prefixOf(path: string): string {
  return `.${basename(path).slice(0, 100)}.`;
}
