/**
 * Finds programs and runs them: to completion, as a stream of bytes, or beside this one.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { spawn } from "node:child_process";

/** The result of a finished program. */
export interface ProcessResult {
  /** Exit status; 128 or more when a signal killed it. */
  readonly code: number;
  /** Its complete output. */
  readonly stdout: Uint8Array;
  /** At most the first 64 KiB, as text. */
  readonly stderr: string;
}

/** The type of {@link runProcess}, for injection. */
export type RunProcess = (command: string, args: readonly string[], stdin: Uint8Array) => Promise<ProcessResult>;

const STDERR_LIMIT = 65536;

/**
 * Starts `command` (a path, or a name on PATH) without a shell, writes `stdin` to it and collects its output. A program
 * that stops reading early is not an error here: its exit status decides.
 *
 * @throws {Error} when the program cannot be started; `code` is then the system's, such as `ENOENT`.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  stdin: Uint8Array,
): Promise<ProcessResult> {
  const { spawn } = await import("node:child_process");
  return await new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const out: Uint8Array[] = [];
    let stderr = "";
    child.stdout.on("data", (data: Uint8Array) => out.push(data));
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => stderr = (stderr + text).slice(0, STDERR_LIMIT));
    child.stdin.on("error", () => {}); // EPIPE: the program has stopped reading
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code: code ?? (signal ? 128 : 1), stdout: new Uint8Array(Buffer.concat(out)), stderr });
    });
    child.stdin.end(stdin);
  });
}

/** The path of a program on PATH; undefined when there is none. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    for (const ending of folder === "" ? [] : endings) {
      const path = join(folder, name + ending);
      const usable = await access(path, constants.X_OK).then(() => stat(path)).then(
        (info) => info.isFile(),
        () => false,
      );
      if (usable) return path;
    }
  }
  return undefined;
}

/** How {@linkcode runInFolder} runs a program. */
export interface FolderRun {
  /** Ends the program when it aborts. */
  readonly signal: AbortSignal;
  /** Whether what it prints is passed on to stderr, for programs that show their progress there. */
  readonly shown: boolean;
}

/** The type of {@linkcode runInFolder}, for injection. */
export type RunInFolder = (
  folder: string,
  command: string,
  args: readonly string[],
  options: FolderRun,
) => Promise<Pick<ProcessResult, "code" | "stderr">>;

/**
 * Runs `command` (a name on PATH) in a folder to its end, without input. Arguments must be constants of ours: the
 * scripts that stand for programs on Windows are started by its shell.
 *
 * @throws {Error} when the program cannot be started, with the system's `code` such as `ENOENT`; the reason of `signal`
 */
export const runInFolder: RunInFolder = async (folder, command, args, { signal, shown }) => {
  const path = await findProgram(command);
  if (path === undefined) throw Object.assign(new Error(`there is no ${command} on PATH`), { code: "ENOENT" });
  const child = spawn(/\.(?:cmd|bat)$/i.test(path) ? `"${path}"` : path, [...args], {
    cwd: folder,
    shell: /\.(?:cmd|bat)$/i.test(path),
    stdio: ["ignore", shown ? 2 : "ignore", "pipe"],
    windowsHide: true,
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop);
  try {
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => stderr = (stderr + text).slice(-STDERR_LIMIT));
    const code = await new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, ended) => resolve(code ?? (ended ? 128 : 1)));
    });
    signal.throwIfAborted();
    return { code, stderr };
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

/** A running program. */
interface StreamedProcess {
  /** What it writes, as it comes; a reader that is slow slows it down, one that stops early ends it. */
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Resolves when it has ended: its exit status, 128 or more after a signal, and at most 64 KiB of its messages. */
  readonly ended: Promise<{ readonly code: number; readonly stderr: string }>;
}

/** The shape of {@link streamProcess}, for those that take it as an argument. */
type StreamProcess = (command: string, args: readonly string[]) => Promise<StreamedProcess>;

/**
 * Starts `command` (a path, or a name on PATH) without a shell and without input.
 *
 * @throws {Error} when the program cannot be started; `code` is then the system's word, such as `ENOENT`.
 */
export async function streamProcess(command: string, args: readonly string[]): Promise<StreamedProcess> {
  const { spawn } = await import("node:child_process");
  const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let stderr = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => stderr = (stderr + text).slice(0, STDERR_LIMIT));
  const ended = new Promise<{ code: number; stderr: string }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), stderr }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const stdout = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of child.stdout) yield part;
    } finally {
      child.kill("SIGKILL");
    }
  };
  return { stdout: stdout(), ended };
}

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
