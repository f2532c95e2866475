/**
 * Text to words and punctuation marks.
 *
 * @module
 */
import { ADDRESS, INFIX, PREFIX, SUFFIX, SUFFIX_WINDOW } from "./word_patterns.ts";

/** A word or a mark. */
export interface SplitWord {
  readonly text: string;
  /** Whether white space follows. */
  readonly spaced: boolean;
}

/** Runs of characters that are words of their own, or several, whatever the rules say: contractions, abbreviations. */
export type WordExceptions = ReadonlyMap<string, readonly string[]>;

/** Cuts text into words. */
export class WordSplitter {
  readonly #exceptions: WordExceptions;
  readonly #longest: number;

  constructor(exceptions: WordExceptions) {
    this.#exceptions = exceptions;
    this.#longest = [...exceptions.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  }

  split(text: string): SplitWord[] {
    const words: SplitWord[] = [];
    for (const { 0: run, index } of text.matchAll(/\S+/g)) {
      const parts = this.#splitRun(run);
      const followed = index + run.length < text.length;
      parts.forEach((part, i) => words.push({ text: part, spaced: followed && i === parts.length - 1 }));
    }
    return words;
  }

  #exception(text: string): readonly string[] | undefined {
    return text.length <= this.#longest ? this.#exceptions.get(text) : undefined;
  }

  #splitRun(run: string): readonly string[] {
    const whole = this.#exception(run);
    if (whole) return whole;
    const prefixes: string[] = [];
    const suffixes: string[] = [];
    const core = this.#takeEnds(run, prefixes, suffixes);
    const parts = [...prefixes, ...this.#splitCore(core), ...suffixes.reverse()];
    return parts.length > 1 ? this.#joinExceptions(parts) : parts;
  }

  /** Takes prefixes and suffixes off until an exception or nothing to take off is left, and returns that. */
  #takeEnds(run: string, prefixes: string[], suffixes: string[]): string {
    let left = run;
    while (left !== "" && this.#exception(left) === undefined) {
      const prefix = prefixOf(left);
      if (prefix > 0 && this.#exception(left.slice(prefix))) {
        prefixes.push(left.slice(0, prefix));
        return left.slice(prefix);
      }
      const suffix = suffixOf(left.slice(prefix));
      const end = left.length - suffix;
      if (suffix > 0 && this.#exception(left.slice(0, end))) {
        suffixes.push(left.slice(end));
        return left.slice(0, end);
      }
      if (prefix === 0 && suffix === 0) return left;
      if (prefix > 0) prefixes.push(left.slice(0, prefix));
      if (suffix > 0) suffixes.push(left.slice(end));
      left = left.slice(prefix, end);
    }
    return left;
  }

  #splitCore(core: string): readonly string[] {
    if (core === "") return [];
    const known = this.#exception(core);
    if (known) return known;
    if (ADDRESS.test(core)) return [core];
    const parts: string[] = [];
    let start = 0;
    for (const { 0: infix, index } of core.matchAll(INFIX)) {
      if (index === 0) continue;
      if (index > start) parts.push(core.slice(start, index));
      parts.push(infix);
      start = index + infix.length;
    }
    if (start < core.length) parts.push(core.slice(start));
    return parts;
  }

  /** Neighbours that spell an exception together: `Sept` and `.` */
  #joinExceptions(parts: readonly string[]): string[] {
    const joined: string[] = [];
    for (let i = 0; i < parts.length;) {
      const count = [3, 2].find((count) => {
        return i + count <= parts.length && this.#exception(parts.slice(i, i + count).join(""));
      });
      joined.push(...count === undefined ? [parts[i]] : this.#exception(parts.slice(i, i + count).join("")) ?? []);
      i += count ?? 1;
    }
    return joined;
  }
}

/** Length of what can be taken off the left end. */
function prefixOf(text: string): number {
  PREFIX.lastIndex = 0;
  return PREFIX.exec(text)?.[0].length ?? 0;
}

/** Length of what can be taken off the right end. */
function suffixOf(text: string): number {
  let stops = text.length;
  while (stops > 0 && text[stops - 1] === ".") stops--;
  if (text.length - stops > 1) return text.length - stops;
  return SUFFIX.exec(text.slice(-SUFFIX_WINDOW))?.[0].length ?? 0;
}
