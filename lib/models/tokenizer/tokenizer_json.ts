/**
 * Tokenizers as Hugging Face's libraries write them.
 *
 * @module
 */
import {
  type Normalizer,
  PrecompiledNormalizer,
  SequenceNormalizer,
  Tokenizer,
  Unigram,
} from "@huggingface/tokenizers";
import { checkExpressions } from "./check_expressions.ts";
import { precompiledCharsmap } from "./precompiled_charsmap.ts";
import { isObject } from "../../json/json_text.ts";

/** A `tokenizer.json` cannot be used; says why. */
export class TokenizerError extends Error {
  override name = "TokenizerError";
}

/**
 * Makes a tokenizer from the contents of a `tokenizer.json`.
 *
 * @param name Name of the file for error sentences.
 * @param config What `tokenizer_config.json` says besides, such as `eos_token`.
 * @throws {TokenizerError} when the file has a part that is not known.
 */
export function parseTokenizer(name: string, json: object, config: object): Tokenizer {
  // The library demands these keys, files may leave them out.
  const defaults = { decoder: null, post_processor: null, pre_tokenizer: null, normalizer: null, added_tokens: [] };
  try {
    checkIds(json);
    checkExpressions(json);
    const tokenizer = new Tokenizer({ ...defaults, ...json }, config);
    if (tokenizer.normalizer) useCharsmaps(tokenizer.normalizer);
    if (tokenizer.model instanceof Unigram) takeLongWords(tokenizer.model);
    return tokenizer;
  } catch (cause) {
    throw new TokenizerError(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** The library takes whatever a vocabulary says for an id. */
function checkIds(json: object): void {
  const { model, added_tokens: added } = json as { model?: { vocab?: unknown }; added_tokens?: unknown };
  const vocabulary = model?.vocab;
  if (isObject(vocabulary)) {
    for (const token of Object.keys(vocabulary)) checkId(token, (vocabulary as Record<string, unknown>)[token]);
  }
  for (const token of Array.isArray(added) ? added : []) checkId(token?.content, token?.id);
}

function checkId(token: unknown, id: unknown): void {
  if (Number.isInteger(id) && (id as number) >= 0 && (id as number) < MAX_IDS) return;
  throw new Error(`the id of ${JSON.stringify(token)} is ${JSON.stringify(id)}, expected an integer below ${MAX_IDS}`);
}

/** No vocabulary is nearly as large; lists of tokens go up to the largest id. */
const MAX_IDS = 2 ** 24;

/** The library stands in for every charsmap with Unicode's NFKC, which is close but not what the file says. */
function useCharsmaps(normalizer: Normalizer): void {
  if (normalizer instanceof SequenceNormalizer) {
    for (const part of normalizer.normalizers) if (part) useCharsmaps(part);
  } else if (normalizer instanceof PrecompiledNormalizer && typeof normalizer.charsmap === "string") {
    normalizer.normalize = precompiledCharsmap(Uint8Array.from(atob(normalizer.charsmap), (c) => c.charCodeAt(0)));
  }
}

/** The library hands the tokens of a word over as arguments, of which there can be some 100,000 at most. */
function takeLongWords(model: Unigram): void {
  model.encode = (words) => words.flatMap((word) => model.tokenize(word));
}
