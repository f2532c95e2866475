/**
 * What is wrong with a value, as data.
 *
 * @module
 */

/** How much a finding matters. */
export type Severity = "error" | "warning" | "note";

/** Something that is wrong at one place of a JSON value. */
export interface Finding {
  /** The place, as a JSON pointer (RFC 6901). A missing member is told of the object, an unknown one of itself. */
  readonly pointer: string;
  /** Stable id of the rule that is broken. */
  readonly rule: string;
  readonly severity: Severity;
  /** What is there and what was expected, in plain words. */
  readonly message: string;
  /** What was expected, such as `integer or null`. */
  readonly expected?: string;
  /** What is there, shortened. */
  readonly actual?: string;
  /** Name of the member that is missing, unknown or given twice. */
  readonly property?: string;
  /** The known word that a misspelled one most probably means. */
  readonly meant?: string;
  /** For duplicates the pointer of the first occurrence. */
  readonly otherPointer?: string;
}

/** Part of a text. */
export interface SourceRange {
  /** Line of the first character, from 1; lines end with a line feed, a carriage return or both. */
  readonly line: number;
  /** Column of the first character in UTF-16 code units, from 1. */
  readonly column: number;
  /** Line of the end. */
  readonly endLine: number;
  /** Column behind the last character. */
  readonly endColumn: number;
  /** Offset of the first character in UTF-16 code units, from 0. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
}

/**
 * A finding with its place in the source text: of an unknown or repeated member the name, else the value at `pointer`.
 */
export interface SourceFinding extends Finding, SourceRange {
  /** For duplicates the place of the first occurrence. */
  readonly other?: SourceRange;
}

/** Settings of everything that returns findings. */
export interface FindingOptions {
  /** How many findings are kept; 1,000 when omitted. */
  readonly maxFindings?: number;
}

/** The answer of a validator. */
export interface Validation<F extends Finding = Finding> {
  /** Whether the value conforms. */
  readonly valid: boolean;
  /** What is wrong, in the order of the document; empty when the value conforms. */
  readonly findings: readonly F[];
  /** How many findings were left out, because there were more than `maxFindings`. */
  readonly omitted: number;
}
