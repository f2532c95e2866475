import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { programOf, ROOT } from "./program_arguments.ts";

/** What a finished command has left. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is around a command. */
export interface Surroundings {
  readonly stdin?: string;
  /** Undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Longest file that it can write, in the blocks of the shell's `ulimit`: 512 or 1024 bytes. */
  readonly fileBlocks?: number;
}

/** Runs `svc` to its end, as Deno or Node, whichever runs the test, with a home folder of its own. */
export async function runSvc(
  home: string,
  args: readonly string[],
  { stdin = "", env = {}, fileBlocks }: Surroundings = {},
): Promise<Finished> {
  const command = [process.execPath, ...programOf("cli/main.ts"), ...args];
  // A program that ignores the signal sees that the write failed.
  const limited = ["sh", "-c", `trap '' XFSZ; ulimit -f ${fileBlocks}; exec "$@"`, "sh"];
  const [program, ...words] = fileBlocks === undefined ? command : [...limited, ...command];
  const child = spawn(program, words, {
    cwd: ROOT,
    env: { ...process.env, SVC_API_KEY: "", SVC_MODELS_DIR: "", SVC_HOME: home, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  child.stdin.end(stdin);
  const [status] = await once(child, "close");
  return { status, stdout, stderr };
}
