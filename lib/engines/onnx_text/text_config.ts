/**
 * Language model settings of `config.json`.
 *
 * @module
 */
import type { JsonObject } from "../files/model_json.ts";
import { isObject } from "../../json/json_text.ts";

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
