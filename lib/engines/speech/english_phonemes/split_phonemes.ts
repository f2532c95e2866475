/**
 * Phonemes in portions that a network speaks at once.
 *
 * @module
 */

/**
 * Cuts phonemes at clauses, and at words where a clause is too long.
 *
 * @param maximum Symbols of a portion.
 */
export function splitPhonemes(phonemes: string, maximum: number): string[] {
  if (phonemes.length <= maximum) return phonemes === "" ? [] : [phonemes];
  const portions: string[] = [];
  let portion = "";
  for (const clause of phonemes.split(/(?<=[,;:—])\s+/).flatMap((clause) => fitting(clause, maximum))) {
    if (portion !== "" && portion.length + clause.length + 1 > maximum) {
      portions.push(portion);
      portion = clause;
    } else {
      portion = portion === "" ? clause : `${portion} ${clause}`;
    }
  }
  return portion === "" ? portions : [...portions, portion];
}

/** A clause that is too long in parts of words, as even as they can be; words that are too long are cut anywhere. */
function fitting(clause: string, maximum: number): string[] {
  if (clause.length <= maximum) return [clause];
  const aim = Math.ceil(clause.length / Math.ceil(clause.length / maximum));
  const parts: string[] = [];
  for (let rest = clause; rest !== "";) {
    if (rest.length <= maximum) return [...parts, rest];
    const spaces = [rest.indexOf(" ", aim), rest.lastIndexOf(" ", maximum)].filter((at) => at > 0 && at <= maximum);
    const end = spaces[0] ?? maximum;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return parts;
}
