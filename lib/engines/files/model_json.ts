/**
 * The JSON files of a model, and the sizes that they name: checked before anything is allocated or counted by them.
 *
 * @module
 */
import { isObject, parseBoundedJson } from "../../json/json_text.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** An object of a JSON file with unvalidated members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Bytes of the largest file of this kind that is read; published tokenizers have up to 40 MB. */
const MAX_BYTES = 2 ** 27;

/**
 * Reads a file of a model that holds text.
 *
 * @throws {Error} naming it when it is larger than any published one.
 */
export async function readModelText(files: ModelFiles, name: string): Promise<string> {
  const bytes = await files.readPart(name, 0, MAX_BYTES + 1);
  if (bytes.length <= MAX_BYTES) return new TextDecoder().decode(bytes);
  throw new Error(`Cannot use ${name}: it has more than ${MAX_BYTES} bytes, expected fewer`);
}

/**
 * Reads a JSON file of a model.
 *
 * @returns Undefined when the model has no such file.
 * @throws {Error} when it is not JSON.
 */
export async function readModelValue(files: ModelFiles, name: string): Promise<unknown> {
  if (!files.names.includes(name)) return undefined;
  const text = await readModelText(files, name);
  if (text.trim() === "") throw new Error(`Cannot use ${name}: it is empty, expected JSON`);
  try {
    return parseBoundedJson(text);
  } catch (cause) {
    throw new Error(`Cannot use ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/**
 * Reads a JSON file of a model that holds an object.
 *
 * @returns Undefined when the model has no such file.
 * @throws {Error} when it is not JSON or not an object.
 */
export async function readModelJson(files: ModelFiles, name: string): Promise<JsonObject | undefined> {
  const value = await readModelValue(files, name);
  if (value === undefined || isObject(value)) return value;
  throw new Error(
    `Cannot use ${name}: it is ${Array.isArray(value) ? "an array" : String(value)}, expected an object`,
  );
}

/** Tokens of the longest context that is believed; the longest published ones have 10 million. */
export const MAX_CONTEXT: number = 2 ** 27;

/** Tokens of the largest vocabulary that is believed; published ones have some 300,000. */
export const MAX_VOCABULARY: number = 2 ** 22;

/** The widest layer that is believed. */
export const MAX_WIDTH: number = 2 ** 20;

/** The most heads of a layer that are believed. */
const MAX_HEADS = 2 ** 16;

/** The most layers that are believed; published models have up to 130. */
const MAX_LAYERS = 2 ** 12;

/** The most tokens that end an answer; published models have up to five. */
const MAX_END_TOKENS = 256;

/** From where to where a size of `config.json` is believed. */
const believed: Readonly<Record<string, readonly [from: number, to: number]>> = {
  vocab_size: [1, MAX_VOCABULARY],
  decoder_vocab_size: [1, MAX_VOCABULARY],
  type_vocab_size: [0, MAX_VOCABULARY],
  hidden_size: [1, MAX_WIDTH],
  n_embd: [1, MAX_WIDTH],
  d_model: [1, MAX_WIDTH],
  d_kv: [1, MAX_WIDTH],
  head_dim: [1, MAX_WIDTH],
  num_attention_heads: [1, MAX_HEADS],
  num_key_value_heads: [1, MAX_HEADS],
  num_heads: [1, MAX_HEADS],
  n_head: [1, MAX_HEADS],
  encoder_attention_heads: [1, MAX_HEADS],
  decoder_attention_heads: [1, MAX_HEADS],
  num_hidden_layers: [1, MAX_LAYERS],
  num_layers: [1, MAX_LAYERS],
  num_decoder_layers: [1, MAX_LAYERS],
  n_layer: [1, MAX_LAYERS],
  encoder_layers: [1, MAX_LAYERS],
  decoder_layers: [1, MAX_LAYERS],
};

/** Parts of a model with sizes of their own. */
const parts = ["text_config", "vision_config", "audio_config", "encoder", "decoder"];

/**
 * Checks every known size of a `config.json` and of the parts that it describes. Missing ones and null are fine, and
 * lists, by which some models give each layer a size of its own: graphs say theirs.
 *
 * @throws {Error} naming a size that no model has.
 */
export function checkSizes(config: JsonObject): void {
  for (const [key, [from, to]] of Object.entries(believed)) {
    if (!Array.isArray(config[key])) sizeIn("config.json", config, key, to, from);
  }
  for (const part of parts) {
    const inner = config[part];
    if (isObject(inner)) checkSizes(inner);
  }
}

/**
 * A size of a file; undefined where it is missing or null.
 *
 * @throws {Error} naming the file and what it says, unless that is a whole number in these bounds.
 */
export function sizeIn(file: string, fields: JsonObject, key: string, to: number, from = 1): number | undefined {
  const found = fields[key];
  if (found === undefined || found === null) return undefined;
  if (typeof found === "number" && Number.isInteger(found) && found >= from && found <= to) return found;
  throw new Error(`Cannot use ${file}: its "${key}" is ${shown(found)}, expected a whole number from ${from} to ${to}`);
}

/**
 * The id of a token in a file; undefined where it is missing, null or negative, which stands for none.
 *
 * @throws {Error} as {@linkcode sizeIn}.
 */
export function tokenIn(file: string, fields: JsonObject, key: string): number | undefined {
  const found = fields[key];
  if (Number.isSafeInteger(found) && (found as number) < 0) return undefined;
  return sizeIn(file, fields, key, MAX_VOCABULARY, 0);
}

/**
 * The ids of `eos_token_id`: one or a list. Undefined where it is missing or null.
 *
 * @throws {Error} naming the file when they are not ids, or more than any model has.
 */
export function endTokensIn(file: string, fields: JsonObject): readonly number[] | undefined {
  const found = fields.eos_token_id;
  if (found === undefined || found === null) return undefined;
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  if (list.length > MAX_END_TOKENS) {
    throw new Error(
      `Cannot use ${file}: its "eos_token_id" has ${list.length} tokens, expected at most ${MAX_END_TOKENS}`,
    );
  }
  return list.map((eos_token_id) => tokenIn(file, { eos_token_id }, "eos_token_id")).filter((id) => id !== undefined);
}

/** The beginning of a wrong value, for an error. */
export function shown(value: unknown): string {
  // Texts and lists of any length may be there.
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : String(value);
}

/** Models with several parts have a separate configuration for their language model. */
export function textConfig(config: JsonObject): JsonObject {
  return isObject(config.text_config) ? { ...config, ...config.text_config } : config;
}

/**
 * Number and size of key-value heads, for graphs without them; undefined when missing, or different in each layer.
 *
 * @param config The parsed `config.json`, whose sizes have been checked.
 */
export function attentionSizes(
  config: JsonObject,
): { readonly heads: number | undefined; readonly dim: number | undefined } {
  const fields = textConfig(config);
  const queries = size(fields.num_attention_heads) ?? size(fields.n_head);
  const hidden = size(fields.hidden_size) ?? size(fields.n_embd);
  return {
    heads: size(fields.num_key_value_heads) ?? queries,
    dim: size(fields.head_dim) ?? (hidden === undefined || queries === undefined ? undefined : size(hidden / queries)),
  };
}

function size(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

/**
 * The sentence about a language model that only continues texts.
 *
 * @param lack What shows it.
 * @param remedy How to make it one that chats.
 */
export function baseModel(lack: string, remedy: string, name = "the model"): string {
  return `Cannot use ${name}: it is a base model: it has no chat template (${lack}), which chat.completions needs, and ` +
    `no other task takes it, expected its instruct or chat version, or ${remedy}`;
}
