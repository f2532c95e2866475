/**
 * Grammars as data.
 *
 * @module
 */

/** A range of code points, both ends included. */
export type CodeRange = readonly [number, number];

/** The syntax of a piece of text. */
export type Expression =
  | { readonly kind: "text"; readonly text: string }
  /** One character of these. */
  | { readonly kind: "character"; readonly ranges: readonly CodeRange[] }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  /** Without parts it matches nothing, not even the empty text. */
  | { readonly kind: "choice"; readonly parts: readonly Expression[] }
  | { readonly kind: "repeat"; readonly part: Expression; readonly min: number; readonly max: number }
  | { readonly kind: "rule"; readonly name: string };

/** Rules by name; `root` is the start rule. */
export interface Grammar {
  readonly root: Expression;
  readonly rules: ReadonlyMap<string, Expression>;
}

/** Matches no text. */
export const NEVER: Expression = { kind: "choice", parts: [] };

/** The empty text. */
export const EMPTY: Expression = { kind: "text", text: "" };

/** Matches this text. */
export function text(value: string): Expression {
  return { kind: "text", text: value };
}

/** Matches one character of these ranges. */
export function character(...ranges: readonly CodeRange[]): Expression {
  return { kind: "character", ranges };
}

/** Matches one of these letters, such as `"eE"`. */
export function oneOf(letters: string): Expression {
  return character(...Array.from(letters, (letter): CodeRange => [letter.codePointAt(0)!, letter.codePointAt(0)!]));
}

/** A sequence of expressions. */
export function sequence(...parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0] : { kind: "sequence", parts };
}

/** A choice of expressions. */
export function choice(...parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0] : { kind: "choice", parts };
}

/**
 * A repetition.
 *
 * @param max Infinity for any number.
 */
export function repeat(part: Expression, min: number, max: number): Expression {
  return { kind: "repeat", part, min, max };
}

/** An optional expression. */
export function optional(part: Expression): Expression {
  return repeat(part, 0, 1);
}

/** A reference to a rule. */
export function rule(name: string): Expression {
  return { kind: "rule", name };
}
