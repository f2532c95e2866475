import type { SourceFinding } from "../../lib/manifest/mod.ts";

/** What was found in one file. */
export interface FileReport {
  /** The file as it was named; `-` for the standard input. */
  readonly file: string;
  /** Whether it conforms; lint does not count. */
  readonly valid: boolean;
  readonly findings: readonly SourceFinding[];
  /** How many findings were left out. */
  readonly omitted: number;
  /** The source, up to where it could be read. */
  readonly text: string;
  /** Why the file could not be read. */
  readonly error?: string;
}

/**
 * Control characters, those that change the direction of text and byte order marks, made visible: a file must not steer
 * a terminal.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
