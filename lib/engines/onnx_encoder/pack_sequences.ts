/**
 * Packs token sequences into batches.
 *
 * @module
 */

/** Maximum number of tokens of a sequence. */
export const MAX_SEQUENCE_TOKENS = 8192;

/** Maximum number of tokens of a batch, including padding. */
export const MAX_BATCH_TOKENS = 8192;

/**
 * Packs sequences of similar length together, to minimize padding.
 *
 * @param lengths Tokens of each sequence.
 * @param max Maximum of sequences of a batch times its longest one; a longer sequence gets a batch of its own.
 * @returns The indices of the sequences of each batch, longest first.
 */
export function packSequences(lengths: readonly number[], max: number = MAX_BATCH_TOKENS): number[][] {
  const order = Array.from(lengths, (_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    // The first sequence of a batch is its longest.
    if (batch.length > 0 && (batch.length + 1) * lengths[batch[0]] > max) batches.push(batch = []);
    if (batches.length === 0) batches.push(batch);
    batch.push(index);
  }
  return batches;
}
