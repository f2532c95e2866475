/**
 * What `config.json` tells of a language model.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../files/model_json.ts";

/** Models with several parts keep the numbers of their language model apart. */
export function textConfig(config: JsonObject): JsonObject {
  return isJsonObject(config.text_config) ? { ...config, ...config.text_config } : config;
}

/** Heads of keys and values, and their size, where graphs do not tell; undefined what is not told. */
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
