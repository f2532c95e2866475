/**
 * The terminal, pipe or log of a command.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import process from "node:process";
import { createInterface } from "node:readline";
import { type Paint, terminalText, writeText } from "./terminal_text.ts";

/** The output and environment of a command. */
export interface Terminal {
  /** Writes a line of results to stdout, without what would control a terminal; coloured where one wants colours. */
  readonly out: (line: string, paint?: Paint) => void;
  /** Writes a line about progress or an error to stderr, likewise. */
  readonly err: (line: string, paint?: Paint) => void;
  /** Whether stderr is interactive. */
  readonly interactive: boolean;
  /** An environment variable; undefined when unset or empty. */
  readonly environment: (name: string) => string | undefined;
}

/** The terminal of this process. */
export function thisTerminal(): Terminal {
  return {
    out: (line, paint) => writeText(process.stdout, `${line}\n`, paint),
    err: (line, paint) => writeText(process.stderr, `${line}\n`, paint),
    interactive: process.stderr.isTTY === true,
    environment: (name) => process.env[name]?.trim() || undefined,
  };
}

/** Whether stdin and stdout are interactive. */
export function isConversation(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** All bytes of standard input, until it ends. */
export async function readStandardInput(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of process.stdin) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

/** The text of a pipe or file; undefined where a person could type. */
export async function readPipe(): Promise<string | undefined> {
  return process.stdin.isTTY === true ? undefined : new TextDecoder().decode(await readStandardInput());
}

/** Standard input and output as streams, for a protocol that owns both. */
export function standardStreams(): { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream } {
  return { input: process.stdin, output: process.stdout };
}

/** Asks on the terminal: everything but `y` and `yes` means no. Undefined when the terminal is not interactive. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.question(`${terminalText(question)} [y/N] `, resolve);
      lines.once("close", () => resolve("")); // Ctrl+C, Ctrl+D
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
