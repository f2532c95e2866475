/**
 * How far a transcript is from what was said.
 *
 * @module
 */

/** Words that have to be replaced, added or removed, as a part of those that were said; letters and digits count only. */
export function wordErrorRate(said: string, heard: string): number {
  const [expected, found] = [wordsOf(said), wordsOf(heard)];
  // Levenshtein's distance, row by row.
  let row = Array.from({ length: found.length + 1 }, (_, i) => i);
  for (const [i, word] of expected.entries()) {
    const next = [i + 1];
    for (const [j, other] of found.entries()) {
      next.push(Math.min(row[j] + (word === other ? 0 : 1), row[j + 1] + 1, next[j] + 1));
    }
    row = next;
  }
  return row[found.length] / Math.max(expected.length, 1);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().replaceAll(/['’]/g, "").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
