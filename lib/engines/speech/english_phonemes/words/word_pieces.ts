/**
 * Words cut into pieces that a dictionary may have, and grouped by the white space between them.
 *
 * @module
 */
import { LOWER, UPPER } from "../character_classes.ts";
import { isCurrency } from "../lexicon/number_reader.ts";
import { type WordToken, wordToken } from "./word_token.ts";

/** One word that is read as it is, or pieces that stand together without white space. */
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
