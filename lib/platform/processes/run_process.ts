/**
 * Runs a program to completion, bytes in and bytes out.
 *
 * @module
 */

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
    child.on("close", (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), stdout: join(out), stderr }));
    child.stdin.end(stdin);
  });
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
