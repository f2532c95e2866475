/**
 * The numbers of phonemes in networks.
 *
 * @module
 */

/** Numbers by symbol. */
export type PhonemeNumbers = ReadonlyMap<string, number>;

/**
 * Checks a vocabulary.
 *
 * @throws {Error} if it is not an object of numbers.
 */
export function readPhonemeNumbers(json: unknown, file: string): PhonemeNumbers {
  const entries = typeof json === "object" && json !== null ? Object.entries(json) : [];
  if (entries.length > 0 && entries.every(([symbol, number]) => symbol !== "" && Number.isSafeInteger(number))) {
    return new Map(entries as [string, number][]);
  }
  throw new Error(`Cannot use ${file}: it is not a vocabulary, expected phonemes with their numbers`);
}

/** Numbers of phonemes between two zeros; symbols that the vocabulary lacks are left out. */
export function phonemeNumbers(vocabulary: PhonemeNumbers, phonemes: string): number[] {
  return [0, ...[...phonemes].flatMap((symbol) => vocabulary.get(symbol) ?? []), 0];
}
