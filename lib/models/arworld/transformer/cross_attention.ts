/**
 * Attention from the picture to the text.
 *
 * @module
 */
import { attention, reshape, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../checkpoint/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { type KeysValues, queries } from "./window_attention.ts";

/** Rows of the text encoder [text_len,text_dim], zero after the text -> [text_len,D]. */
export function embedContext(rows: Value, weights: Weights): Value {
  return dense(dense(rows, weights.at("text_embedding.0"), "gelu"), weights.at("text_embedding.2"));
}

/**
 * Attention of x [L,D] to the text's keys and values [text_len,H,D/H], which `keysValues` of the same weights makes
 * once for a prompt. Rows after the text are not masked: the model was trained to see them.
 */
export function crossAttention(x: Value, text: KeysValues, weights: Weights): Value {
  const mixed = attention(queries(x, weights, text.k.shape[1]), text.k, text.v);
  return dense(reshape(mixed, x.shape), weights.at("o"));
}
