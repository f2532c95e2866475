/**
 * What attention is told of texts of different lengths.
 *
 * @module
 */

/** What hides a token: its weight becomes 0, and no sum becomes infinite. */
const HIDDEN = -1e30;

/** Positions of `count` tokens behind each text, `[texts, count]`. */
export function tokenPositions(lengths: readonly number[], count: number): BigInt64Array {
  return BigInt64Array.from(lengths.flatMap((length) => Array.from({ length: count }, (_, i) => BigInt(length + i))));
}

/**
 * Ones for tokens that are there, `[texts, width]`.
 *
 * @param behind Whether new tokens come directly behind each text, and not at the end of all rows.
 */
export function attentionMask(
  lengths: readonly number[],
  count: number,
  width: number,
  behind: boolean,
): BigInt64Array {
  const mask = new BigInt64Array(lengths.length * width);
  lengths.forEach((length, row) => {
    const start = row * width;
    mask.fill(1n, start, start + length);
    const added = start + (behind ? length : width - count);
    mask.fill(1n, added, added + count);
  });
  return mask;
}

/** What is added to the scores of a single new token of each text, `[texts, past + 1]`: 0 where something is. */
export function scoreMask(lengths: readonly number[], past: number): Float32Array {
  const width = past + 1;
  const mask = new Float32Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(HIDDEN, row * width + length, row * width + past));
  return mask;
}

/** Where new keys or values are in those of all tokens, from `starts` on: `[texts, heads, count, 3]` indices. */
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
