/**
 * Findings as data.
 *
 * @module
 */
import type { SourceRange } from "../../json/json_source.ts";

/** The severity of a finding. */
export type Severity = "error" | "warning" | "note";

/** A violation at one location of a JSON value. */
export interface Finding {
  /**
   * The location, as a JSON pointer (RFC 6901): of the object for a missing member, of the member itself for an unknown
   * one.
   */
  readonly pointer: string;
  /** Stable id of the violated rule. */
  readonly rule: string;
  /** How severe it is. */
  readonly severity: Severity;
  /** What was found and what was expected. */
  readonly message: string;
  /** What was expected, such as `integer or null`. */
  readonly expected?: string;
  /** What was found, shortened. */
  readonly actual?: string;
  /** Name of the missing, unknown or duplicate member. */
  readonly property?: string;
  /** The known word that a misspelled one most likely means. */
  readonly meant?: string;
  /** For duplicates the pointer of the first occurrence. */
  readonly otherPointer?: string;
}

/**
 * A finding with its location in the source text: the name of an unknown or duplicate member, else the value at
 * `pointer`.
 */
export interface SourceFinding extends Finding, SourceRange {
  /** For duplicates the location of the first occurrence. */
  readonly other?: SourceRange;
}

/** Options of everything that returns findings. */
export interface FindingOptions {
  /** Maximum number of findings to keep; 1,000 by default. */
  readonly maxFindings?: number;
}

/** The result of a validation. */
export interface Validation<F extends Finding = Finding> {
  /** Whether the value conforms. */
  readonly valid: boolean;
  /** The violations, in document order; empty when the value conforms. */
  readonly findings: readonly F[];
  /** Number of findings omitted because of `maxFindings`. */
  readonly omitted: number;
}
