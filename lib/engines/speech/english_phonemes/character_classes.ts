/**
 * Classes of characters that the rules for English text are written in, as parts of regular expressions with the flag
 * `u` and as tests of words. `\w` and `\b` of JavaScript cover ASCII only; text needs more.
 *
 * @module
 */

/** A letter or another character that counts as one within a word, such as a Roman numeral sign; no digit. */
export const LETTER = "[\\p{L}\\p{Nl}\\p{No}]";

/** What a word is made of: letters, digits and the underscore. */
export const WORD = "[\\p{L}\\p{N}_]";

/** Not preceded by a part of a word: the left edge of a word. */
export const WORD_START = "(?<![\\p{L}\\p{N}_])";

/** Not followed by a part of a word: the right edge of a word. */
export const WORD_END = "(?![\\p{L}\\p{N}_])";

/** Lower-case Latin letters, to be put into brackets. */
export const LOWER = "a-zß-öø-ÿ";

/** Upper-case Latin letters, to be put into brackets. */
export const UPPER = "A-ZÀ-ÖØ-Þ";

/** Whether there is something, and all of it letters. */
export function isAlphabetic(text: string): boolean {
  return /^\p{L}+$/u.test(text);
}

/** Whether there is something, and all of it ASCII digits. */
export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

/** Whether nothing of it would change in lower case. */
export function isLowerCase(text: string): boolean {
  return text === text.toLowerCase();
}

/** Whether nothing of it would change in upper case. */
export function isUpperCase(text: string): boolean {
  return text === text.toUpperCase();
}

/** The first character in upper case, all others in lower case. */
export function capitalized(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
}

/** Makes a word list the alternatives of a regular expression, the longest first. */
export function alternatives(words: Iterable<string>): string {
  return [...words].sort((a, b) => b.length - a.length).map(escapePattern).join("|");
}

/** Text that stands for itself in a regular expression with the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
