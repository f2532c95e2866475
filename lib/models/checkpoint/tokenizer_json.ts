/**
 * Tokenizers as Hugging Face's libraries write them.
 *
 * @module
 */
import { Tokenizer } from "@huggingface/tokenizers";

/** A `tokenizer.json` cannot be used; says what is wrong with it. */
export class TokenizerError extends Error {
  override name = "TokenizerError";
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json`.
 *
 * @param name Name of the file for error sentences.
 * @param endOfText The token that ends a text.
 * @throws {TokenizerError} when the file has a part that is not known.
 */
export function parseTokenizer(name: string, json: object, endOfText: string): Tokenizer {
  // The library demands these keys, files may leave them out.
  const defaults = { decoder: null, post_processor: null, pre_tokenizer: null, normalizer: null, added_tokens: [] };
  try {
    return new Tokenizer({ ...defaults, ...json }, { eos_token: endOfText });
  } catch (cause) {
    throw new TokenizerError(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
