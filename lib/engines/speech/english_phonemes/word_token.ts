/**
 * Words on their way to their phonemes: cut into pieces that a dictionary may have, and grouped by the white space between
 * them.
 *
 * @module
 */
import { LOWER, UPPER } from "./character_classes.ts";
import { isCurrency } from "./number_reader.ts";

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

/** One word that is read as it is, or pieces without white space between them. */
export type WordGroup = readonly WordToken[];

/** More pieces than any word or address has: longer rows are read in parts, so that the work stays linear. */
const MAX_GROUP = 48;

/** Marks that are heard as pauses. */
export const PAUSES: ReadonlySet<string> = new Set(";:,.!?—…");
const marks: ReadonlySet<string> = new Set([...PAUSES, '"', "“", "”"]);

const QUOTE = "['‘’]";
const CHARACTER = "[\\p{L}\\p{Nl}\\p{No}]";
const PIECE = new RegExp(
  [
    `^${QUOTE}+`,
    `[${UPPER}](?=[${UPPER}][${LOWER}])`,
    "(?:^-)?(?:\\d?[,.]?\\d)+",
    "[-_]+",
    `${QUOTE}{2,}`,
    `${CHARACTER}*?(?:${QUOTE}${CHARACTER})*?[${LOWER}](?=[${UPPER}])`,
    `${CHARACTER}+(?:${QUOTE}${CHARACTER})*`,
    "[^\\p{L}\\p{N}_\\-'‘’]",
    `${QUOTE}+$`,
  ].join("|"),
  "gu",
);

const punctuationTags = new Set([".", ",", "-LRB-", "-RRB-", "``", '""', "''", ":", "$", "#", "NFP"]);
const tagMarks: Readonly<Record<string, string>> = { "-LRB-": "(", "-RRB-": ")", "``": "“", '""': "”", "''": "”" };

/** Cuts and groups the words of a sentence; what is punctuation or a sign of a currency has its phonemes already. */
export function groupPieces(words: readonly WordToken[]): WordGroup[] {
  const groups: WordToken[][] = [];
  let open = false; // whether the last group continues
  let currency: string | undefined;
  words.forEach((word, at) => {
    const pieces = word.phonemes === undefined ? cut(word) : [{ ...word }];
    pieces.forEach((piece, i) => {
      const mark = piece.phonemes ?? markOf(piece);
      if (piece.phonemes === undefined && piece.tag === "$" && isCurrency(piece.text)) currency = piece.text;
      else if (mark === undefined && currency !== undefined) {
        if (piece.tag !== "CD") currency = undefined;
        else if (i === pieces.length - 1 && words[at + 1]?.tag !== "CD") piece.currency = currency;
      } else if (mark === undefined && isTo(pieces, i)) piece.alias = "to";
      piece.phonemes = mark;
      const read = piece.phonemes === undefined && piece.alias === undefined;
      piece.head = !(read && open);
      const last = groups.at(-1);
      if (last !== undefined && read && open && last.length < MAX_GROUP) last.push(piece);
      else groups.push([piece]);
      open = read && !piece.spaced;
    });
  });
  return groups;
}

function cut(word: WordToken): WordToken[] {
  const pieces = (word.text.match(PIECE) ?? [word.text]).map((text) => wordToken(text, word.tag, false));
  pieces[pieces.length - 1].spaced = word.spaced;
  return pieces;
}

/** What a mark or a sign sounds like; undefined for what has to be read. */
function markOf({ text, tag }: WordToken): string | undefined {
  if (tag === "$" && isCurrency(text)) return "";
  if (tag === ":" && (text === "-" || text === "–")) return "—";
  if (!punctuationTags.has(tag) || /^[A-Za-z]*$/.test(text)) return undefined;
  return tagMarks[tag] ?? [...text].filter((character) => marks.has(character)).join("");
}

/** The 2 of "B2B". */
function isTo(pieces: readonly WordToken[], i: number): boolean {
  if (pieces[i].text !== "2" || i === 0 || i === pieces.length - 1) return false;
  return /\p{L}$/u.test(pieces[i - 1].text) && /^\p{L}/u.test(pieces[i + 1].text);
}
