/**
 * Names of the inputs and outputs that a rewritten decoder adds.
 *
 * @module
 */
import type { KvTensor } from "./decoder_graph.ts";

/** Input: indices of the fed tokens whose logits are requested. */
export const LOGIT_INDICES = "svc.logit_indices";

/** Output: the new keys or values only, `[batch, heads, new tokens, dim]`. */
export function newOutput(kv: Pick<KvTensor, "past">): string {
  return `svc.new.${kv.past}`;
}

/**
 * Input: indices of the new keys and values, `[batch, heads, new tokens, 3]`, for all tensors with this number of
 * heads.
 */
export function newIndices(heads: number): string {
  return `svc.new_indices.${heads}`;
}

/** Input: whether each sequence has a single token. */
export const IS_SINGLE = "svc.is_single";

/** Input: positions of single tokens, `[batch, 1]`; for several tokens only its shape matters. */
export const POSITIONS = "svc.positions";

/** Input: added to the scores of single tokens, `[batch, 1, 1, past and new tokens]`. */
export const SCORE_MASK = "svc.score_mask";

/** Input: numbers of past and new tokens. */
export const SPLIT = "svc.split";
