/**
 * The outermost function of a program.
 *
 * @module
 */
import process from "node:process";
import { diskReason } from "../files/disk_reason.ts";
import { commandLineMessage, UsageError } from "../terminal/flags.ts";
import { type Paint, writeText } from "../terminal/terminal_text.ts";

let serving = false;

/**
 * Runs a program with this process's arguments and exits with the status that it returns: 0 done, 1 failed while
 * working, 2 wrong usage. An error becomes one line on stderr.
 */
export async function runMain(main: (args: readonly string[]) => Promise<number>): Promise<never> {
  let status = 1;
  // The reader of the output may have closed it, as `head` does. A server keeps running without a reader.
  process.stdout.on("error", () => serving || process.exit(status));
  process.stderr.on("error", () => {});
  try {
    status = await main(process.argv.slice(2));
  } catch (error) {
    writeText(process.stderr, `svc: ${messageOf(error)}\n`);
    status = error instanceof UsageError ? 2 : 1;
  }
  // Buffered output to a pipe would be lost.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))));
  // Not loaded before: a command begins with little.
  const { exitProcess } = await import("./shutdown.ts");
  return await exitProcess(status);
}

function messageOf(error: unknown): string {
  // The system's own errors, whose message begins with their code, say neither what was tried nor how to continue.
  const reason = diskReason(error);
  const path = (error as { path?: string }).path;
  if (reason !== undefined) return `Cannot use ${path === undefined ? "the disk" : path}: ${reason}`;
  return error instanceof Error ? commandLineMessage(error) : String(error);
}

/** Lets the program keep running when its output is closed, as a server does. */
export function outliveReaders(): void {
  serving = true;
}

/** Writes text to stdout, without what would control a terminal; coloured by `paint` where one wants colours. */
export function print(text: string, paint?: Paint): void {
  writeText(process.stdout, text, paint);
}
