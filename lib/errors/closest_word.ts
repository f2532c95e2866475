/**
 * Finds the known word that a mistyped one most likely means.
 *
 * @module
 */

/**
 * The word of `known` with the smallest edit distance (Damerau: neighbors may be swapped), if it is close enough: at
 * most a third of the longer word's letters differ.
 */
export function closestWord(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let min = Infinity;
  // A hostile name as long as the body would cost seconds, and no known word is that long.
  if (word.length > 64) return undefined;
  const lower = word.toLowerCase();
  for (const candidate of known) {
    const allowed = Math.max(word.length, candidate.length) / 3;
    if (Math.abs(word.length - candidate.length) > allowed) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < min && distance <= allowed) {
      best = candidate;
      min = distance;
    }
  }
  return best;
}

/** Rows of the distance table; only the last two are kept. */
function editDistance(a: string, b: string): number {
  let [before, last, row] = [[] as number[], [] as number[], [] as number[]];
  for (let j = 0; j <= b.length; j++) last.push(j);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let min = Math.min(last[j] + 1, row[j - 1] + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) min = Math.min(min, before[j - 2] + 1);
      row[j] = min;
    }
    [before, last, row] = [last, row, before];
  }
  return last[b.length];
}
