/**
 * Text that an English voice cannot speak.
 *
 * @module
 */
import { cleanText } from "./english_phonemes/clean_text.ts";
import type { EnglishPhonemes } from "./english_phonemes/english_phonemes.ts";

/** Maximum number of words to name, and letters of each. */
const MAX_WORDS = 5;
const MAX_LETTERS = 20;

/** Warnings of words in other scripts and of pictographs, which are left out. */
export function unreadText(text: string, english: EnglishPhonemes): string[] {
  const words = new Set<string>();
  for (const [word] of cleanText(text).matchAll(/[\p{L}\p{M}]+/gu)) {
    if (words.size > MAX_WORDS) break;
    if ([...word.matchAll(/\p{L}/gu)].some(([letter]) => !english.knows(letter))) words.add(shortened(word));
  }
  const named = [...words].slice(0, MAX_WORDS).map((word) => `"${word}"`).join(", ");
  const pictures = text.match(/\p{Extended_Pictographic}/gu)?.filter((sign) => !/[©®™]/.test(sign)).length ?? 0;
  return [
    ...words.size > 0
      ? [`the voice reads English, letters of ${named}${words.size > MAX_WORDS ? ", ..." : ""} are left out`]
      : [],
    ...pictures > 0 ? [`${pictures} pictograph${pictures === 1 ? " is" : "s are"} left out`] : [],
  ];
}

function shortened(word: string): string {
  const letters = [...word];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS).join("")}...` : word;
}
