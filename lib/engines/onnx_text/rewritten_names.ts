/**
 * Names of what a tailored decoder takes and gives besides what it took and gave before.
 *
 * @module
 */
import type { KvTensor } from "./decoder_graph.ts";

/** Input: indices of the tokens, among those that are fed, whose logits are wanted. */
export const LOGIT_INDICES = "svc.logit_indices";

/** Output: the new keys or values only, `[batch, heads, new tokens, dim]`. */
export function newOutput(kv: Pick<KvTensor, "past">): string {
  return `svc.new.${kv.past}`;
}

/** Input: where the new keys and values are, `[batch, heads, new tokens, 3]`, for all tensors with as many heads. */
export function newIndices(heads: number): string {
  return `svc.new_indices.${heads}`;
}

/** Input: whether a single token of each text is read. */
export const IS_SINGLE = "svc.is_single";

/** Input: positions of single tokens, `[batch, 1]`; of several ones only its shape counts. */
export const POSITIONS = "svc.positions";

/** Input: what is added to the scores of single tokens, `[batch, 1, 1, past and new tokens]`. */
export const SCORE_MASK = "svc.score_mask";

/** Input: how many of the tokens are past and how many new. */
export const SPLIT = "svc.split";
