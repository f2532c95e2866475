/**
 * The inputs and outputs that a rewritten decoder adds: their names, and the values of those for attention over
 * sequences of different lengths.
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

/** Masks a token: its weight becomes 0, and no sum becomes infinite. */
const HIDDEN = -1e30;

/** Positions of `count` tokens after each sequence, `[sequences, count]`. */
export function tokenPositions(lengths: readonly number[], count: number): BigInt64Array {
  return BigInt64Array.from(lengths.flatMap((length) => Array.from({ length: count }, (_, i) => BigInt(length + i))));
}

/**
 * Ones for existing tokens, `[sequences, width]`.
 *
 * @param adjacent Whether new tokens directly follow each sequence, rather than the end of the buffer.
 */
export function attentionMask(
  lengths: readonly number[],
  count: number,
  width: number,
  adjacent: boolean,
): BigInt64Array {
  const mask = new BigInt64Array(lengths.length * width);
  lengths.forEach((length, row) => {
    const start = row * width;
    mask.fill(1n, start, start + length);
    const added = start + (adjacent ? length : width - count);
    mask.fill(1n, added, added + count);
  });
  return mask;
}

/** Added to the scores of a single new token of each sequence, `[sequences, past + 1]`: 0 for existing tokens. */
export function scoreMask(lengths: readonly number[], past: number): Float32Array {
  const width = past + 1;
  const mask = new Float32Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(HIDDEN, row * width + length, row * width + past));
  return mask;
}

/** Indices of new keys or values among those of all tokens, from `starts` on: `[sequences, heads, count, 3]`. */
export function newTokenIndices(starts: readonly number[], heads: number, count: number): BigInt64Array {
  const places = new BigInt64Array(starts.length * heads * count * 3);
  let at = 0;
  starts.forEach((start, row) => {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < count; i++) {
        places[at++] = BigInt(row);
        places[at++] = BigInt(head);
        places[at++] = BigInt(start + i);
      }
    }
  });
  return places;
}
