/**
 * Phonemes in portions that a network speaks at once.
 *
 * @module
 */

/** How long portions are, in symbols. */
export interface PortionLengths {
  /** Clauses are put together up to this length. */
  readonly together: number;
  /** A single clause is cut only beyond this one. */
  readonly maximum: number;
}

/** Cuts phonemes at clauses, and at words where a single clause is too long. */
export function splitPhonemes(phonemes: string, { together, maximum }: PortionLengths): string[] {
  if (phonemes.length <= together) return phonemes === "" ? [] : [phonemes];
  const portions: string[] = [];
  let portion = "";
  for (const clause of phonemes.split(/(?<=[,;:—])\s+/).flatMap((clause) => fitting(clause, maximum))) {
    if (portion !== "" && portion.length + clause.length + 1 > together) {
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
  const parts: string[] = [];
  const aim = Math.ceil(clause.length / Math.ceil(clause.length / maximum));
  let rest = clause;
  while (rest.length > maximum) {
    const spaces = [rest.indexOf(" ", aim), rest.lastIndexOf(" ", maximum)].filter((at) => at > 0 && at <= maximum);
    const end = spaces[0] ?? maximum;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}
