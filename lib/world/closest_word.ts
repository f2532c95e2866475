/**
 * The known word that a mistyped one most probably means.
 *
 * @module
 */

/**
 * The word of `known` with the least edit distance (Damerau: neighbours may be swapped), when it is close enough to be
 * meant: at most a third of the longer word's letters differ.
 */
export function closestWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  // A hostile name as long as the body would cost seconds, and nothing known is that long.
  if (word.length > 64) return undefined;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance <= Math.max(word.length, candidate.length) / 3) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change, swap);
    }
  }
  return rows[a.length][b.length];
}
