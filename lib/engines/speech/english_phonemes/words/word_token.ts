/**
 * A word on its way to its phonemes.
 *
 * @module
 */

/** A word, or a piece of one. */
export interface WordToken {
  readonly text: string;
  /** Part of speech, a tag of the Penn Treebank. */
  readonly tag: string;
  /** Whether white space follows. */
  spaced: boolean;
  /** Undefined until they are known; empty for what is not said. */
  phonemes: string | undefined;
  /** Another word to be read in its place. */
  alias?: string;
  /** Sign of the currency whose amount it is. */
  currency?: string;
  /** Whether it begins a run of pieces. */
  head: boolean;
  /** Whether a space is said before it within its word. */
  apart: boolean;
}

/** A token that nothing is known of but its text. */
export function wordToken(text: string, tag: string, spaced: boolean, phonemes?: string): WordToken {
  return { text, tag, spaced, phonemes, head: true, apart: false };
}

/** Pieces as one word; its phonemes are theirs when all have been read. */
export function joinTokens(pieces: readonly WordToken[], phonemes: string | undefined): WordToken {
  const last = pieces[pieces.length - 1];
  const currencies = pieces.flatMap(({ currency }) => currency ?? []);
  return {
    text: joinedText(pieces),
    tag: pieces.reduce((best, piece) => weight(piece.text) > weight(best.text) ? piece : best).tag,
    spaced: last.spaced,
    phonemes,
    ...currencies.length > 0 && { currency: currencies.sort()[currencies.length - 1] },
    head: pieces[0].head,
    apart: pieces[0].apart,
  };
}

/** The text of pieces; white space follows the last one at most. */
export function joinedText(pieces: readonly WordToken[]): string {
  return pieces.map(({ text, spaced }, i) => spaced && i < pieces.length - 1 ? `${text} ` : text).join("");
}

/** Letters in upper case count twice. */
function weight(text: string): number {
  let total = 0;
  for (const character of text) total += character === character.toLowerCase() ? 1 : 2;
  return total;
}
