/**
 * Token sequences of encoders.
 *
 * @module
 */
import { minTokens } from "../text/min_tokens.ts";
import { MAX_SEQUENCE_TOKENS } from "./pack_sequences.ts";
import { invalidRequest } from "../../errors/make_error.ts";

/** The tokens of one text, or of a pair of texts. */
export interface TokenSequence {
  readonly ids: readonly number[];
  /** Which text of a pair each token belongs to. */
  readonly types: readonly number[];
}

/** The context of an encoding. */
export interface EncodePurpose {
  /** Maximum number of tokens of a sequence; never more than {@linkcode MAX_SEQUENCE_TOKENS}. */
  readonly context: number;
  /** The action and the text, such as `embed input[2]`. */
  readonly what: string;
  /** Path of the text in the request. */
  readonly param: string;
}

/**
 * Makes the sequence of a text, or refuses one that is too long. Of an excessively long text only the beginning is
 * encoded: megabytes would take seconds.
 *
 * @throws {SvcError} `context_length_exceeded` with both numbers, `empty_text` for a text that has no tokens.
 */
export function sequenceWithin(
  encode: (text: string) => TokenSequence,
  text: string,
  purpose: EncodePurpose,
): TokenSequence {
  const { what, param } = purpose;
  const max = Math.min(purpose.context, MAX_SEQUENCE_TOKENS);
  const tooLong = (count: string) =>
    invalidRequest("context_length_exceeded", `Cannot ${what}: it has ${count} tokens, expected at most ${max}`, param);
  const min = minTokens((part) => encode(part).ids.length, text, max);
  if (min !== undefined) throw tooLong(`at least ${min}`);
  const sequence = encode(text);
  if (sequence.ids.length > max) throw tooLong(String(sequence.ids.length));
  if (sequence.ids.length > 0) return sequence;
  throw invalidRequest("empty_text", `Cannot ${what}: it has no tokens, expected a text`, param);
}
