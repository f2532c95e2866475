/**
 * Many rows through an encoder.
 *
 * @module
 */
import { packRows } from "./pack_rows.ts";
import type { TokenRow } from "./token_row.ts";

/**
 * Runs rows in batches of about equal lengths.
 *
 * @param run Gives one result for each row of a batch.
 * @returns The results in the order of the rows.
 * @throws the reason of `signal` when it aborts, at the latest after the batch under way.
 */
export async function runBatches<T>(
  rows: readonly TokenRow[],
  run: (batch: readonly TokenRow[]) => Promise<readonly T[]>,
  signal: AbortSignal,
): Promise<T[]> {
  const results: T[] = new Array(rows.length);
  for (const places of packRows(rows.map(({ ids }) => ids.length))) {
    signal.throwIfAborted();
    const found = await run(places.map((place) => rows[place]));
    for (const [i, place] of places.entries()) results[place] = found[i];
  }
  signal.throwIfAborted();
  return results;
}
