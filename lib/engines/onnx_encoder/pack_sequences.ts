/**
 * Rows of tokens into batches.
 *
 * @module
 */

/** Tokens of a row at most. */
export const MAX_SEQUENCE_TOKENS = 8192;

/** Tokens of a batch at most, those that fill rows up included. */
export const MAX_BATCH_TOKENS = 8192;

/**
 * Packs rows of about the same length together, so that little is computed for nothing.
 *
 * @param lengths Tokens of each row.
 * @param max Rows of a batch times its longest row at most; a longer row is a batch by itself.
 * @returns The places of the rows of each batch, longest rows first.
 */
export function packSequences(lengths: readonly number[], max: number = MAX_BATCH_TOKENS): number[][] {
  const order = Array.from(lengths, (_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    // The first row of a batch is its longest.
    if (batch.length > 0 && (batch.length + 1) * lengths[batch[0]] > max) batches.push(batch = []);
    if (batches.length === 0) batches.push(batch);
    batch.push(index);
  }
  return batches;
}
