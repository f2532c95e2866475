/**
 * Which processes exist.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

/** The processes of a machine; replaced by tests. */
export interface Processes {
  readonly pid: number;
  isRunning(pid: number): boolean;
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
    return !isZombie(pid);
  },
};

/**
 * Whether a process is a zombie: it has exited but was not reaped, and looks alive. In a container whose first process
 * does not reap, it stays so.
 */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1"); // id, name in parentheses, state
    return text[text.lastIndexOf(")") + 2] === "Z";
  } catch {
    return false;
  }
}
