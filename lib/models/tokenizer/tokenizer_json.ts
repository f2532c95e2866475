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
import { isObject } from "../../json/json_text.ts";
import { checkExpressions } from "./check_expressions.ts";

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

/** Characters that are tokenised at once: a tokenizer needs a thousand times the memory of its text. */
const PART = 4096;

/**
 * The first `count` ids of a text, and no work for what comes after them. Long texts are taken apart before white space,
 * where no token of a vocabulary of words and their pieces reaches across; white space must be single spaces.
 *
 * @param tokenizer A tokenizer that adds no special tokens.
 */
export function encodeStart(tokenizer: Tokenizer, text: string, count: number): number[] {
  const ids: number[] = [];
  for (let start = 0; ids.length < count && (start < text.length || start === 0);) {
    const end = partEnd(text, start);
    for (const id of tokenizer.encode(text.slice(start, end), { add_special_tokens: false }).ids) {
      if (ids.length < count) ids.push(id);
    }
    start = end;
    if (end === 0) break;
  }
  return ids;
}

/** Before the last space of a part, else where the part is full, but never within a character. */
function partEnd(text: string, start: number): number {
  if (text.length - start <= PART) return text.length;
  const space = text.lastIndexOf(" ", start + PART);
  if (space > start) return space;
  const unit = text.charCodeAt(start + PART);
  return start + PART - (unit >= 0xdc00 && unit < 0xe000 ? 1 : 0);
}

// Longer clusters are replaced character by character.
const MAX_CLUSTER_BYTES = 5;

/**
 * Makes a normaliser from the bytes of a `precompiled_charsmap`.
 *
 * Each grapheme cluster is looked up as a whole, then, if that fails, each of its characters.
 *
 * @throws {RangeError} when the bytes are cut off.
 */
function precompiledCharsmap(bytes: Uint8Array): (text: string) => string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trieBytes = bytes.length < 4 ? Infinity : view.getUint32(0, true);
  if (trieBytes > bytes.length - 4 || trieBytes % 4 !== 0) {
    throw new RangeError(
      `Cannot read precompiled_charsmap: its trie has ${trieBytes} bytes, expected a multiple of 4 within ${bytes.length}`,
    );
  }
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, i) => view.getUint32(4 + 4 * i, true));
  const replacements = bytes.subarray(4 + trieBytes);
  const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  function replacementOf(chunk: Uint8Array): string | undefined {
    const start = shortestMatch(units, chunk);
    if (start === undefined) return undefined;
    const end = replacements.indexOf(0, start);
    return decoder.decode(replacements.subarray(start, end < 0 ? undefined : end));
  }

  function normalizeCluster(cluster: string): string {
    const utf8 = encoder.encode(cluster);
    const whole = utf8.length <= MAX_CLUSTER_BYTES ? replacementOf(utf8) : undefined;
    if (whole !== undefined) return whole;
    return Array.from(cluster, (character) => replacementOf(encoder.encode(character)) ?? character).join("");
  }

  return (text) => Array.from(segmenter.segment(text), ({ segment }) => normalizeCluster(segment)).join("");
}

/** The value of the shortest key that the bytes begin with. Taking the shortest is what the reference code does. */
function shortestMatch(units: Uint32Array, key: Uint8Array): number | undefined {
  let at = childOffset(units[0]);
  for (const byte of key) {
    at ^= byte;
    const unit = units[at];
    // The sign bit marks a leaf's value, which must not pass as a label; beyond the end there is no unit at all.
    if (byte === 0 || unit === undefined || ((unit & 0x800000ff) >>> 0) !== byte) return undefined;
    at ^= childOffset(unit);
    if (unit & 0x100) return units[at] & 0x7fffffff;
  }
  return undefined;
}

function childOffset(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}
