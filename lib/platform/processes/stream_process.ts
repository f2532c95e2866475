/**
 * Runs a program whose output is read while it works.
 *
 * @module
 */

/** A running program. */
export interface StreamedProcess {
  /** What it writes, as it comes; a reader that is slow slows it down, one that stops early ends it. */
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Resolves when it has ended: its exit status, 128 or more after a signal, and at most 64 KiB of its messages. */
  readonly ended: Promise<{ readonly code: number; readonly stderr: string }>;
}

/** The shape of {@link streamProcess}, for those that take it as an argument. */
export type StreamProcess = (command: string, args: readonly string[]) => Promise<StreamedProcess>;

const STDERR_LIMIT = 65536;

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
