/**
 * Tokens of a scripted model, and which of them follows which.
 *
 * @module
 */
import { AnswerPieces } from "./answer_pieces.ts";
import { BYTE_CHARACTERS } from "./byte_level.ts";
import type { ScriptedAnswer } from "./scripted_answers.ts";

/**
 * `byte` and `text` are ordinary, `mark` is text that is recognised as a whole, `control` shows nowhere, `unused` only
 * fills the vocabulary.
 */
export type TokenKind = "byte" | "text" | "mark" | "control" | "unused";

/** A token of the vocabulary; its place is its id. */
export interface Token {
  /** Byte-level form of ordinary tokens, plain text of the others. */
  readonly text: string;
  readonly kind: TokenKind;
}

/** An answer with the tokens that make the model say it. */
export interface ScriptedStart {
  readonly answer: ScriptedAnswer;
  /** With the thought, if there is one. */
  readonly token: string;
  /** Without it. */
  readonly plain: string;
}

/** What a scripted model knows. */
export interface ScriptedVocabulary {
  readonly tokens: readonly Token[];
  /** Pairs of ordinary tokens that make a longer one, the most important first. */
  readonly merges: readonly (readonly [string, string])[];
  /** The token that each token names as its next, by ids. */
  readonly next: ReadonlyMap<number, number>;
  readonly starts: readonly ScriptedStart[];
  /** Ids by text. */
  readonly ids: ReadonlyMap<string, number>;
}

/** Ends a message, and with it an answer. */
export const END_TOKEN = "<|im_end|>";

/** Fills up rows. */
export const PAD_TOKEN = "<|endoftext|>";

const controls = [PAD_TOKEN, "<|im_start|>", END_TOKEN];
const marks = ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"];

/** Some of the commonest pairs of English, so that prompts have tokens of several letters. */
const merges: readonly (readonly [string, string])[] = [
  ["Ġ", "t"],
  ["h", "e"],
  ["i", "n"],
  ["Ġt", "he"],
  ["o", "n"],
  ["r", "e"],
  ["Ġ", "a"],
  ["e", "r"],
  ["Ġ", "s"],
  ["in", "g"],
  ["o", "u"],
  ["Ġa", "n"],
  ["Ġan", "d"],
  ["o", "r"],
  ["Ġ", "w"],
  ["Ġw", "or"],
  ["l", "l"],
  ["he", "ll"],
  ["hell", "o"],
];

/** Models have more logits than tokens, as multiples of this are fast. */
const padding = 64;

/**
 * Lays out a vocabulary: the bytes, merged tokens, pieces of the answers, marks, control tokens, unused ones.
 *
 * @param answers The last one is given to every message that no other fits.
 * @param extra Further control tokens.
 * @throws {RangeError} for answers that cannot be told apart.
 */
export function scriptVocabulary(
  answers: readonly ScriptedAnswer[],
  extra: readonly string[] = [],
): ScriptedVocabulary {
  const ordinary = [...BYTE_CHARACTERS, ...merges.map(([a, b]) => a + b)];
  const pieces = new AnswerPieces([...ordinary, ...marks]);
  const chains: string[][] = [];
  const starts: ScriptedStart[] = [];
  const known = new Map<string, readonly string[]>();
  answers.forEach((answer, index) => {
    const text = `${answer.endless ? "endless " : ""}${answer.say}`;
    const said = known.get(text) ?? pieces.cut(answer.say);
    known.set(text, said);
    const plain = `<|say:${index}|>`;
    chains.push([plain, ...said, answer.endless ? said[0] : END_TOKEN]);
    if (answer.thought === undefined) return void starts.push({ answer, token: plain, plain });
    const token = `<|think:${index}|>`;
    chains.push([token, ...pieces.cut(`<think>\n${answer.thought}\n</think>\n\n`), said[0]]);
    starts.push({ answer, token, plain });
  });
  const said = new Set(chains.flatMap((chain) => chain.slice(1, -1)));
  const begins = chains.map(([start]) => start);
  const tokens: Token[] = [
    ...ordinary.map((text, id): Token => ({ text, kind: id < 256 ? "byte" : "text" })),
    ...Array.from(said, (text): Token => ({ text, kind: "text" })),
    ...marks.map((text): Token => ({ text, kind: "mark" })),
    ...[...controls, ...extra, ...begins].map((text): Token => ({ text, kind: "control" })),
  ];
  while (tokens.length % padding !== 0) tokens.push({ text: `<|unused:${tokens.length}|>`, kind: "unused" });
  const ids = new Map(tokens.map(({ text }, id) => [text, id]));
  const links = chains.flatMap((chain) => chain.slice(1).map((to, i) => [ids.get(chain[i])!, ids.get(to)!] as const));
  return { tokens, merges, next: new Map(links), starts, ids };
}
