/**
 * The terminal, pipe or log of a command.
 *
 * @module
 */
import process from "node:process";

/** The output and environment of a command. */
export interface Terminal {
  /** Writes a line of results to stdout. */
  readonly out: (line: string) => void;
  /** Writes a line about progress or an error to stderr. */
  readonly err: (line: string) => void;
  /** Whether stderr is interactive. */
  readonly interactive: boolean;
  /** An environment variable; undefined when unset or empty. */
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

/** Whether stdin and stdout are interactive. */
export function isConversation(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
