import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { programOf, ROOT } from "./program_arguments.ts";

export { ROOT };

/** A server in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves with the exit status once everything that the server wrote has been read. */
  readonly exit: Promise<number | null>;
  /** The first line on stdout; rejects when the server ends without one. */
  readonly line: Promise<string>;
  readonly stderr: () => string;
}

let sharedHome: string | undefined;

/** The application folder of servers that are given none: not that of this user, in which they would leave notes. */
function ownHome(): string {
  if (sharedHome === undefined) {
    const home = sharedHome = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-home-")));
    process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  }
  return sharedHome;
}

/**
 * Starts a program of `servers` or `cli`, as Deno or Node, whichever runs the test.
 *
 * @param env Variables besides those of this process; `SVC_HOME` is a folder of the tests by default.
 */
export function startServer(
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  program = "servers/world.ts",
): Running {
  const child = spawn(process.execPath, [...programOf(program), ...args], {
    cwd: ROOT,
    env: { ...process.env, SVC_API_KEY: "", SVC_HOME: ownHome(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr!.on("data", (data) => stderr += data);
  const exit = once(child, "close").then(([status]) => status); // not "exit": the last words may come after it
  const line = Promise.race([
    once(createInterface({ input: child.stdout! }), "line").then(([line]) => line),
    exit.then((status) => Promise.reject(new Error(`the server has ended with status ${status}: ${stderr}`))),
  ]);
  line.catch(() => {}); // not everybody waits for it
  return {
    child,
    exit,
    line,
    stderr: () => stderr,
  };
}

/** Ends a server. Not `child.kill`: Deno would then report the signal in place of the status that the process ended with. */
export function end(server: Running, signal: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL"): void {
  process.kill(server.child.pid!, signal);
}
