/**
 * Answers that have to keep to a grammar, as decode loops see them.
 *
 * @module
 */
import type { OutputConstraint } from "../text/language_model.ts";

/** What a grammar has to know of a model's tokens. */
export interface TokenVocabulary {
  /** How many logits the model has; ids beyond the tokenizer's are never allowed. */
  readonly size: number;
  /** Tokens that end an answer. */
  readonly endTokens: readonly number[];
  /** The bytes that a token stands for; none for an id that is no token. */
  bytesOf(id: number): Uint8Array;
  /** Whether a token is a mark of the chat, such as the beginning of a message, and no text. */
  isSpecial(id: number): boolean;
}

/** Follows one answer. */
export interface TokenConstraint {
  /**
   * The tokens that may come next, one bit each, the lowest bit of the first word first. End tokens are among them where
   * the answer may end, and nothing else is where it has to. Other tokens may turn out to be refused.
   */
  mask(): Promise<Int32Array>;
  /**
   * Takes the token that was chosen, unless it ends the answer. False when it is refused after all: then nothing has
   * changed, but that the mask is without it, and another one has to be chosen from the same logits.
   */
  accept(id: number): boolean;
  /** To be called once, when the answer ends in whatever way. */
  close(): void;
}

/** Makes constraints for the tokens of one model. */
export interface Constrainer {
  /** @throws {SvcError} `unsupported_parameter` for a schema that cannot be kept to, with the keyword. */
  constrain(constraint: OutputConstraint): Promise<TokenConstraint>;
  /** Frees what was compiled. */
  close(): void;
}

/** Costs nothing until the first constraint is made. */
export type OpenConstrainer = (vocabulary: TokenVocabulary) => Constrainer;
