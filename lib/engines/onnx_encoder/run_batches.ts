/**
 * Runs many sequences through an encoder.
 *
 * @module
 */
import { packSequences } from "./pack_sequences.ts";
import type { TokenSequence } from "./token_sequence.ts";

/**
 * Runs sequences in batches of similar length.
 *
 * @param run Returns one result per sequence of a batch.
 * @returns The results in the order of the sequences.
 * @throws the reason of `signal` when it aborts, at the latest after the current batch.
 */
export async function runBatches<T>(
  sequences: readonly TokenSequence[],
  run: (batch: readonly TokenSequence[]) => Promise<readonly T[]>,
  signal: AbortSignal,
): Promise<T[]> {
  const results: T[] = new Array(sequences.length);
  for (const indices of packSequences(sequences.map(({ ids }) => ids.length))) {
    signal.throwIfAborted();
    const found = await run(indices.map((index) => sequences[index]));
    for (const [i, index] of indices.entries()) results[index] = found[i];
  }
  signal.throwIfAborted();
  return results;
}
