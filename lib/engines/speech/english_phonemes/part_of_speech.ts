/**
 * Parts of speech, by an averaged perceptron (Collins 2002, "Discriminative training methods for hidden Markov
 * models"): the reading of "read", "live" or "record" depends on them.
 *
 * @module
 */
import { isAlphabetic } from "./character_classes.ts";

/** What has been learned; the objects have no prototype. */
export interface TaggerModel {
  /** Tags of the Penn Treebank. */
  readonly tags: readonly string[];
  /** Words that nearly always have the same tag. */
  readonly tagdict: Readonly<Record<string, string>>;
  /** Words that features name; all others go by their shape. */
  readonly vocab: ReadonlySet<string>;
  /** By feature, then by tag. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const BEFORE = ["-START2-", "-START-"];
const BEHIND = ["-END-", "-END2-"];

/** Gives every word of a sentence its tag. */
export function tagWords(model: TaggerModel, words: readonly string[]): string[] {
  const context = [...BEFORE, ...words.map((word) => contextWord(model, word)), ...BEHIND];
  let [earlier, previous] = BEFORE;
  return words.map((word, i) => {
    const tag = model.tagdict[word] ?? bestTag(model, features(word, i, context, previous, earlier));
    [earlier, previous] = [previous, tag];
    return tag;
  });
}

function bestTag({ tags, weights }: TaggerModel, found: readonly string[]): string {
  const scores = new Map<string, number>();
  for (const feature of found) {
    const learned = weights[feature];
    if (learned === undefined) continue;
    for (const tag in learned) scores.set(tag, (scores.get(tag) ?? 0) + learned[tag]);
  }
  if (scores.size === 0) return "NN";
  const score = (tag: string) => scores.get(tag) ?? 0;
  return tags.reduce((best, tag) =>
    score(tag) > score(best) || (score(tag) === score(best) && tag > best) ? tag : best
  );
}

function features(word: string, i: number, context: readonly string[], previous: string, earlier: string): string[] {
  const [before2, before, own, behind, behind2] = context.slice(i, i + 5);
  return [
    "b",
    `s3=${ending(word)}`,
    `p1=${[...word.slice(0, 2)][0]}`,
    `w=${own}`,
    `sh=${shape(word)}`,
    i === 0 ? "i0" : "i+",
    `t-1=${previous}`,
    `t-2=${earlier}`,
    `t-12=${previous},${earlier}`,
    `w-1=${before}`,
    `s3-1=${ending(before)}`,
    `w-2=${before2}`,
    `w+1=${behind}`,
    `s3+1=${ending(behind)}`,
    `w+2=${behind2}`,
  ];
}

function contextWord({ vocab }: TaggerModel, word: string): string {
  const general = generalized(word);
  return vocab.has(general) ? general : `<${shape(word)}>`;
}

function generalized(word: string): string {
  if (word.includes("-") && !word.startsWith("-")) return "!HYPHEN";
  if (/^[0-9]{4}$/.test(word)) return "!YEAR";
  if (/^[0-9²³¹]/.test(word)) return "!DIGITS";
  return word.toLowerCase();
}

function shape(word: string): string {
  if (isAlphabetic(word)) {
    const [first, ...others] = word;
    const rest = others.join("");
    const upper = (text: string) => /\p{Lu}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);
    const lower = (text: string) => /\p{Lowercase}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text);
    if (lower(word)) return "x";
    if (upper(word)) return others.length > 0 ? "XX" : "X1";
    return upper(first) && lower(rest) ? "Xx" : "xX";
  }
  if (/^[0-9²³¹]+$/.test(word)) return "d";
  const start = [...word.slice(0, 8)].slice(0, 4);
  return start.map((c) => /[0-9²³¹]/.test(c) ? "d" : /\p{L}/u.test(c) ? "x" : c).join("");
}

/** The last three characters. */
function ending(word: string): string {
  return [...word.slice(-6)].slice(-3).join("");
}
