/**
 * Text of others as a terminal may show it: a model, a client or a file must not move the cursor, hide what stands
 * there or write into the clipboard.
 *
 * @module
 */
import process from "node:process";
import type { WriteStream } from "node:tty";

/** Control characters except tab and line feed, and those that reorder their neighbours. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** All that cannot be seen, or would end the line. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu;

/**
 * Makes control characters visible; line breaks and tabs stay.
 *
 * @example
 * ```ts
 * import { terminalText } from "./terminal_text.ts";
 * console.assert(terminalText("a\x1b[2Jb\n") === "a\\u001b[2Jb\n");
 * ```
 */
export function terminalText(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** Makes a text one visible line: line breaks, bidirectional controls and byte order marks are escaped as well. */
export function printable(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

/** Colours a text that is ready to be shown: what a model or a file has written is escaped before. */
export type Paint = (shown: string) => string;

/** Whether a stream is to get colours: a terminal, unless `NO_COLOR` is set; any with `FORCE_COLOR`, which wins. */
export function wantsColour(
  { isTTY }: Pick<WriteStream, "isTTY">,
  { FORCE_COLOR: force = "", NO_COLOR: no = "", TERM: term }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (force !== "") return !["0", "false"].includes(force);
  return isTTY === true && no === "" && term !== "dumb";
}

/** Writes a text to a terminal, pipe or file: what a terminal gets is {@linkcode terminalText}, coloured by `paint`. */
export function writeText(
  stream: WriteStream,
  text: string,
  paint?: Paint,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const shown = stream.isTTY ? terminalText(text) : text;
  stream.write(paint && wantsColour(stream, environment) ? paint(shown) : shown);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The colours and weights of commands, each a {@linkcode Paint}. */
const sgr = (on: number, off: number): Paint => (shown) => `\x1b[${on}m${shown}\x1b[${off}m`;

export const red: Paint = sgr(31, 39);
export const green: Paint = sgr(32, 39);
export const yellow: Paint = sgr(33, 39);
export const bold: Paint = sgr(1, 22);
export const dim: Paint = sgr(2, 22);
