/**
 * Text of others as a terminal may show it: a model, a client or a file must not move the cursor, hide what stands
 * there or write into the clipboard.
 *
 * @module
 */
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

/** Writes a text to a terminal, pipe or file: what a terminal gets is {@linkcode terminalText}, in grey where `dim`. */
export function writeText(stream: WriteStream, text: string, dim = false): void {
  const shown = stream.isTTY ? terminalText(text) : text;
  stream.write(dim ? `\x1b[2m${shown}\x1b[22m` : shown);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
