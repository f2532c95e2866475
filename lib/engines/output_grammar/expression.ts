/**
 * Grammars as data.
 *
 * @module
 */

/** A range of code points, both ends included. */
export type CodeRange = readonly [number, number];

/** What a piece of text may look like. */
export type Expression =
  | { readonly kind: "text"; readonly text: string }
  /** One character of these. */
  | { readonly kind: "character"; readonly ranges: readonly CodeRange[] }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  /** Without parts it stands for no text at all, not even the empty one. */
  | { readonly kind: "choice"; readonly parts: readonly Expression[] }
  | { readonly kind: "repeat"; readonly part: Expression; readonly min: number; readonly max: number }
  | { readonly kind: "rule"; readonly name: string };

/** Rules by name; `root` is where a text begins. */
export interface Grammar {
  readonly root: Expression;
  readonly rules: ReadonlyMap<string, Expression>;
}

/** No text fits. */
export const NEVER: Expression = { kind: "choice", parts: [] };

/** The empty text. */
export const EMPTY: Expression = { kind: "text", text: "" };

/** This text. */
export function text(value: string): Expression {
  return { kind: "text", text: value };
}

/** One character of these ranges. */
export function character(...ranges: readonly CodeRange[]): Expression {
  return { kind: "character", ranges };
}

/** One of these letters, such as `"eE"`. */
export function oneOf(letters: string): Expression {
  return character(...Array.from(letters, (letter): CodeRange => [letter.codePointAt(0)!, letter.codePointAt(0)!]));
}

/** One after another. */
export function sequence(...parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0] : { kind: "sequence", parts };
}

/** One of them. */
export function choice(...parts: readonly Expression[]): Expression {
  return parts.length === 1 ? parts[0] : { kind: "choice", parts };
}

/**
 * So many times, one after another.
 *
 * @param max Infinity for any number.
 */
export function repeat(part: Expression, min: number, max: number): Expression {
  return { kind: "repeat", part, min, max };
}

/** Once or not at all. */
export function optional(part: Expression): Expression {
  return repeat(part, 0, 1);
}

/** What a rule stands for. */
export function rule(name: string): Expression {
  return { kind: "rule", name };
}
