/**
 * Which processes there are.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

/** The processes of a machine; a test brings its own. */
export interface Processes {
  readonly pid: number;
  isRunning(pid: number): boolean;
}

/** The processes that the system knows. */
export const thisMachine: Processes = {
  pid: process.pid,
  isRunning: (pid) => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      return (error as { code?: string }).code === "EPERM"; // it is there, but not ours
    }
    return !isZombie(pid);
  },
};

/**
 * Whether a process has ended and nobody has asked how, which makes it look alive. In a container whose first process
 * does not ask, it stays so.
 */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1"); // number, name in parentheses, state
    return text[text.lastIndexOf(")") + 2] === "Z";
  } catch {
    return false;
  }
}
