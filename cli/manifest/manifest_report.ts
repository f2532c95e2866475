import type { SourceFinding } from "../../lib/manifest/mod.ts";

/** The findings of one file. */
export interface FileReport {
  /** The file as named on the command line; `-` for standard input. */
  readonly file: string;
  /** Whether it conforms, regardless of lint findings. */
  readonly valid: boolean;
  readonly findings: readonly SourceFinding[];
  /** Number of omitted findings. */
  readonly omitted: number;
  /** The source, as far as it could be read. */
  readonly text: string;
  /** Why the file could not be read. */
  readonly error?: string;
}

/**
 * Makes control characters, bidirectional controls and byte order marks visible: a file must not control the terminal.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
