/**
 * The terminal, pipe or log that a command speaks to.
 *
 * @module
 */
import process from "node:process";

/** Where a command's lines go and what surrounds it. */
export interface Terminal {
  /** A line of results, to stdout. */
  readonly out: (line: string) => void;
  /** A line about progress or a problem, to stderr. */
  readonly err: (line: string) => void;
  /** Whether a person watches stderr. */
  readonly interactive: boolean;
  /** An environment variable; undefined when it is not set or empty. */
  readonly environment: (name: string) => string | undefined;
}

/** The terminal of this process. */
export function thisTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    interactive: process.stderr.isTTY === true,
    environment: (name) => process.env[name]?.trim() || undefined,
  };
}

/** Whether a person types on stdin and reads stdout. */
export function isConversation(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
