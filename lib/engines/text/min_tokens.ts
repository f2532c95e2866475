/**
 * Texts that are far too long.
 *
 * @module
 */

/** Letters of a token, generously: of texts that have more for each token than this, all is encoded to count them. */
const TOKEN_LETTERS = 16;

/**
 * How many tokens a text has at least, when it is so long that its beginning alone has too many; undefined for all
 * others. Encoding megabytes would take seconds, and only to refuse them.
 *
 * @param count Encodes a text and counts its tokens.
 * @param max Tokens that are not too many.
 */
export function minTokens(count: (text: string) => number, text: string, max: number): number | undefined {
  const letters = max * TOKEN_LETTERS;
  if (text.length <= letters) return undefined;
  // The last token may go on behind the cut.
  const min = count(text.slice(0, letters)) - 1;
  return min > max ? min : undefined;
}
