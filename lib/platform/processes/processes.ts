/**
 * Which processes exist.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { readBootID } from "../machine/machine_state.ts";

/** The processes of a machine; replaced by tests. */
export interface Processes {
  readonly pid: number;
  isRunning(pid: number): boolean;
  /**
   * What distinguishes the places where a process id means different processes: boots, containers, machines. Undefined
   * where the system does not say.
   */
  scope?(): Promise<string | undefined>;
  /** When a process started, in the system's own format; distinguishes processes that reuse an id. */
  startTime?(pid: number): string | undefined;
}

/** The processes of the system. */
export const thisMachine: Processes = {
  pid: process.pid,
  isRunning: (pid) => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      return (error as { code?: string }).code === "EPERM"; // it exists but belongs to another user
    }
    return statOf(pid)[0] !== "Z";
  },
  scope: async () => {
    if (process.platform !== "linux") return `${process.platform} ${hostname()}`;
    const [boot, space] = [await readBootID(), await readlink("/proc/self/ns/pid").catch(() => undefined)];
    return boot === undefined || space === undefined ? undefined : `${boot} ${space}`;
  },
  startTime: (pid) => statOf(pid)[19],
};

/**
 * The state of a process on Linux and what follows it, as `proc(5)` lists it; empty elsewhere. The state is `Z` for a
 * zombie, which has exited but was not reaped, and looks alive: in a container whose first process does not reap, it
 * stays so.
 */
function statOf(pid: number): readonly string[] {
  if (process.platform !== "linux") return [];
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1"); // id, name in parentheses, state, ...
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
