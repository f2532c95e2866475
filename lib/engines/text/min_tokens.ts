/**
 * Excessively long texts.
 *
 * @module
 */

/** Generous estimate of letters per token: longer texts are not encoded as a whole. */
const TOKEN_LETTERS = 16;

/**
 * A lower bound on the tokens of a text whose beginning alone has too many; undefined for all others. Encoding
 * megabytes would take seconds, only to refuse them.
 *
 * @param count Encodes a text and counts its tokens.
 * @param max Number of tokens allowed.
 */
export function minTokens(count: (text: string) => number, text: string, max: number): number | undefined {
  const letters = max * TOKEN_LETTERS;
  if (text.length <= letters) return undefined;
  // The last token may continue after the cut.
  const min = count(text.slice(0, letters)) - 1;
  return min > max ? min : undefined;
}
