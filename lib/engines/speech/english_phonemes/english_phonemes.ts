/**
 * English text to phonemes, in the alphabet of misaki that Kokoro and Hibari were trained with.
 *
 * @module
 */
import { cleanText, textNormalizer } from "./normalize_text.ts";
import { Lexicon, type LexiconData } from "./lexicon.ts";
import type { NormalizeTables } from "./normalize_tables.ts";
import { pronounceWords } from "./pronounce_words.ts";
import type { UnknownWords } from "./unknown_words.ts";
import { type TaggerModel, tagWords } from "./part_of_speech.ts";
import { type WordExceptions, WordSplitter } from "./split_words.ts";
import { groupPieces, type WordToken, wordToken } from "./word_token.ts";

/** What the rules work with. */
export interface EnglishData {
  readonly tables: NormalizeTables;
  readonly exceptions: WordExceptions;
  readonly tagger: TaggerModel;
  readonly lexicon: LexiconData;
  readonly unknown: UnknownWords;
}

/** `[text](/phonemes/)` says how a text is said, as in the documents of misaki. */
const GIVEN = /\[([^\][]{1,200})\]\(([^)]{0,400})\)/g;

/** Reads English text aloud on paper. */
export class EnglishPhonemes {
  readonly #normalize: (text: string) => string;
  readonly #titles: ReadonlySet<string>;
  readonly #splitter: WordSplitter;
  readonly #tagger: TaggerModel;
  readonly #lexicon: Lexicon;
  readonly #unknown: UnknownWords;

  constructor({ tables, exceptions, tagger, lexicon, unknown }: EnglishData) {
    this.#normalize = textNormalizer(tables);
    this.#titles = new Set(Object.keys(tables.titles));
    this.#splitter = new WordSplitter(exceptions);
    this.#tagger = tagger;
    this.#lexicon = new Lexicon(lexicon);
    this.#unknown = unknown;
  }

  /** The sentences of a text; those of marks alone included. */
  sentences(text: string): string[] {
    return splitSentences(cleanText(text), this.#titles);
  }

  /**
   * The phonemes of a sentence; none when it has nothing to be said.
   *
   * @throws the reason of `signal`.
   */
  async read(sentence: string, signal: AbortSignal): Promise<string> {
    const normalized = this.#normalize(sentence);
    const missing = new Set<string>();
    const read = () =>
      pronounceWords(this.#lexicon, groupPieces(this.#words(normalized)), (letters) => {
        if (!this.#unknown.has(letters)) missing.add(letters);
        return this.#unknown.get(letters);
      });
    let words = read();
    for (const letters of missing) {
      signal.throwIfAborted();
      await this.#unknown.read(letters);
    }
    // What precedes an unknown word depends on its first sound.
    if (missing.size > 0) words = read();
    return words.map(({ phonemes = "", spaced }) => spaced ? `${phonemes} ` : phonemes).join("").trim();
  }

  /** Whether anything can be made of a letter. */
  knows(letter: string): boolean {
    return /[A-Za-z0-9]/.test(letter) || this.#unknown.knows(letter);
  }

  #words(text: string): WordToken[] {
    const words: WordToken[] = [];
    let start = 0;
    for (const { 0: { length }, 1: said, 2: given, index } of text.matchAll(GIVEN)) {
      words.push(...this.#plainWords(text.slice(start, index)));
      start = index + length;
      const phonemes = /^\/[^]*\/$/.test(given) && given.length > 1
        ? given.slice(1).replace(/(?<!\/)\/+$/, "")
        : undefined;
      words.push(wordToken(said, "NN", /\s/.test(text.slice(start, start + 1)), phonemes));
    }
    words.push(...this.#plainWords(text.slice(start)));
    return words;
  }

  #plainWords(text: string): WordToken[] {
    const words = this.#splitter.split(text);
    const tags = tagWords(this.#tagger, words.map(({ text }) => text));
    return words.map(({ text, spaced }, i) => wordToken(text, tags[i], spaced));
  }
}

/** The end of a sentence: a mark, closing quotes or brackets, white space, and further text. */
const END = /(?<=[.!?…])["”’)\]]*\s+(?=\S)/gu;

/**
 * Cuts a text at the ends of its sentences and lines. Closing quotes after a mark are not spoken and are removed.
 *
 * @param titles Words that a full stop follows within a sentence, such as `Dr`.
 */
export function splitSentences(text: string, titles: ReadonlySet<string>): string[] {
  return text.trim().split(/\n\s*\n|\n/).flatMap((line) => splitLine(line.trim(), titles))
    .filter((sentence) => sentence.trim() !== "");
}

function splitLine(line: string, titles: ReadonlySet<string>): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of line.matchAll(END)) {
    const next = index + gap.length;
    if (!isEnd(line, index, next, titles)) continue;
    sentences.push(line.slice(start, index));
    start = next;
  }
  sentences.push(line.slice(start));
  return sentences;
}

/** No sentence ends before a small letter, nor after the full stop of a title or an initial. */
function isEnd(line: string, end: number, next: number, titles: ReadonlySet<string>): boolean {
  if (/^\p{Lowercase}/u.test(line.slice(next, next + 2))) return false;
  if (line[end - 1] !== ".") return true;
  const word = line.slice(line.lastIndexOf(" ", end - 1) + 1, end - 1).replace(/^[("“'‘]+/, "");
  return !titles.has(word) && !/^\p{Uppercase}$/u.test(word);
}
