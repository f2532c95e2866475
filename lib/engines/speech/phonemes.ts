/**
 * Phonemes as networks take them: their numbers, and portions that are spoken at once.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";

/** Numbers by symbol. */
export type PhonemeNumbers = ReadonlyMap<string, number>;

/**
 * Checks a vocabulary.
 *
 * @throws {Error} if it is not an object of numbers.
 */
export function readPhonemeNumbers(json: unknown, file: string): PhonemeNumbers {
  const entries = isObject(json) ? Object.entries(json) : [];
  if (entries.length > 0 && entries.every(([symbol, number]) => symbol !== "" && Number.isSafeInteger(number))) {
    return new Map(entries as [string, number][]);
  }
  throw new Error(`Cannot use ${file}: it is not a vocabulary, expected phonemes with their numbers`);
}

/** Numbers of phonemes between two zeros; symbols that the vocabulary lacks are left out. */
export function phonemeNumbers(vocabulary: PhonemeNumbers, phonemes: string): number[] {
  return [0, ...[...phonemes].flatMap((symbol) => vocabulary.get(symbol) ?? []), 0];
}

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
