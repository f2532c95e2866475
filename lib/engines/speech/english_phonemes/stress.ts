/**
 * Stress marks within phonemes.
 *
 * @module
 */

/** Before a stressed syllable. */
export const PRIMARY = "ˈ";

/** Before a half stressed syllable. */
export const SECONDARY = "ˌ";

const vowels = new Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ");
const consonants = new Set("bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ");
/** Two sounds written as one. */
const doubles = new Set("AIOQWYʤʧ");

/** Whether the symbol is a vowel. */
export function isVowel(symbol: string): boolean {
  return vowels.has(symbol);
}

/** Whether the symbol is a consonant. */
export function isConsonant(symbol: string): boolean {
  return consonants.has(symbol);
}

/** How long phonemes are. */
export function phonemeWeight(phonemes: string): number {
  let total = 0;
  for (const symbol of phonemes) total += doubles.has(symbol) ? 2 : 1;
  return total;
}

/**
 * Changes the stress of a word.
 *
 * @param level Below -1 for none; -1 and -0.5 for secondary at most; 0 to 1 for some where there is none, from 1 on
 *   primary where there is secondary; above 1 for primary. Undefined leaves everything.
 */
export function stressed(phonemes: string, level: number | undefined): string {
  if (level === undefined) return phonemes;
  const primary = phonemes.includes(PRIMARY);
  const secondary = phonemes.includes(SECONDARY);
  if (level < -1) return phonemes.replaceAll(PRIMARY, "").replaceAll(SECONDARY, "");
  if (level === -1 || (level <= 0 && primary)) {
    return phonemes.replaceAll(SECONDARY, "").replaceAll(PRIMARY, SECONDARY);
  }
  if (level >= 0 && !primary && !secondary) return withMark(phonemes, level > 1 ? PRIMARY : SECONDARY);
  if (level >= 1 && !primary) return phonemes.replaceAll(SECONDARY, PRIMARY);
  return phonemes;
}

/** The mark before the first vowel. */
function withMark(phonemes: string, mark: string): string {
  const symbols = [...phonemes];
  const at = symbols.findIndex(isVowel);
  return at < 0 ? phonemes : [...symbols.slice(0, at), mark, ...symbols.slice(at)].join("");
}
