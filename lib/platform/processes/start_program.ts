/**
 * Programs that run beside this one.
 *
 * @module
 */
import { spawn } from "node:child_process";

/** A running program. */
export interface StartedProgram {
  /** Resolves when it has ended: its status, 128 or more after a signal, or the reason why it could not be started. */
  readonly ended: Promise<number | Error>;
  /** Asks it to end, and ends it at once after `grace` milliseconds. */
  stop(grace: number): Promise<void>;
}

/** Starts a program with exactly this environment; what it writes goes to this process's stderr. */
export function startProgram(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): StartedProgram {
  const child = spawn(path, [...args], { env: { ...env }, stdio: ["ignore", 2, 2], windowsHide: true });
  const ended = new Promise<number | Error>((resolve) => {
    child.on("error", (error) => child.pid === undefined && resolve(error));
    child.on("close", (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
  return {
    ended,
    async stop(grace) {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), grace);
      await ended;
      clearTimeout(timer);
    },
  };
}
