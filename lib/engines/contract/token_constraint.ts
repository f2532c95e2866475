/**
 * Constrained decoding, as decode loops see it.
 *
 * @module
 */
import type { OutputConstraint } from "./language_model.ts";

/** What a grammar needs to know of a model's tokens. */
export interface TokenVocabulary {
  /** Number of logits; ids beyond the tokenizer's are never allowed. */
  readonly size: number;
  /** Tokens that end an answer. */
  readonly endTokens: readonly number[];
  /** The bytes of a token; undefined for an unused id. */
  bytesOf(id: number): Uint8Array;
  /** Whether a token is a control token, such as the start of a message, rather than text. */
  isSpecial(id: number): boolean;
}

/** The constraint on one answer. */
export interface TokenConstraint {
  /**
   * The allowed next tokens, one bit each, the lowest bit of the first word first. End tokens are included where the
   * answer may end, and are the only ones where it must. Other tokens may still be rejected by {@linkcode accept}.
   */
  mask(): Promise<Int32Array>;
  /**
   * Accepts the chosen token, unless it ends the answer. Returns false when it is rejected: the state is then
   * unchanged, except that the mask excludes it, and another token must be chosen from the same logits.
   */
  accept(id: number): boolean;
  /** Call once, when the answer ends for any reason. */
  close(): void;
}

/** Creates constraints on the tokens of one model. */
export interface Constrainer {
  /** @throws {SvcError} `unsupported_parameter` for a schema that cannot be kept to, with the keyword. */
  constrain(constraint: OutputConstraint): Promise<TokenConstraint>;
  /** Compiles the grammar ahead of {@linkcode constrain}, which then is fast. Throws what that throws. */
  prepare(constraint: OutputConstraint): Promise<void>;
  /** Frees compiled grammars. */
  close(): void;
}

/** Does nothing until the first constraint is created. */
export type OpenConstrainer = (vocabulary: TokenVocabulary) => Constrainer;
