/**
 * Tokens to words.
 *
 * @module
 */

/** A word with the tokens that it consists of. */
export interface TokenWord {
  readonly text: string;
  readonly tokens: number;
}

/** Languages that write no spaces: each character is a word. */
const WITHOUT_SPACES = new Set(["zh", "ja", "th", "lo", "my", "yue"]);

/** Marks that belong to the word behind them, and to the word before them. */
const OPENING = "\"'“¿([{-";
const CLOSING = "\"'.。,，!！?？:：”)]}、";

/** Cuts tokens where characters are whole, then joins the parts of words, and marks with their words. */
export function splitWords(
  tokens: readonly number[],
  text: (ids: readonly number[]) => string,
  language: string | undefined,
): TokenWord[] {
  const characters = wholeCharacters(tokens, text);
  const bySpaces = language === undefined || !WITHOUT_SPACES.has(language);
  const words: TokenWord[] = [];
  for (const part of characters) {
    const starts = part.text.startsWith(" ") || /^[\p{P}\p{S}]+$/u.test(part.text.trim());
    const last = words.at(-1);
    if (last === undefined || !bySpaces || starts) words.push(part);
    else words[words.length - 1] = joined(last, part);
  }
  return joinMarks(words);
}

function wholeCharacters(tokens: readonly number[], text: (ids: readonly number[]) => string): TokenWord[] {
  const parts: TokenWord[] = [];
  let waiting: number[] = [];
  for (const token of tokens) {
    waiting.push(token);
    const written = text(waiting);
    // A character has four bytes at most; longer invalid sequences stay unchanged.
    if (written.includes("\ufffd") && waiting.length < 4) continue;
    parts.push({ text: written, tokens: waiting.length });
    waiting = [];
  }
  if (waiting.length > 0) parts.push({ text: text(waiting), tokens: waiting.length });
  return parts;
}

function joinMarks(words: readonly TokenWord[]): TokenWord[] {
  const found: TokenWord[] = [];
  let opening: TokenWord | undefined;
  for (const word of words) {
    const bare = word.text.trim();
    const last = found.at(-1);
    if (bare.length === 1 && word.text.startsWith(" ") && OPENING.includes(bare)) {
      opening = opening === undefined ? word : joined(opening, word);
    } else if (opening !== undefined) {
      found.push(joined(opening, word));
      opening = undefined;
    } else if (last !== undefined && bare.length === 1 && !last.text.endsWith(" ") && CLOSING.includes(bare)) {
      found[found.length - 1] = joined(last, word);
    } else found.push(word);
  }
  return opening === undefined ? found : [...found, opening];
}

function joined(a: TokenWord, b: TokenWord): TokenWord {
  return { text: a.text + b.text, tokens: a.tokens + b.tokens };
}
