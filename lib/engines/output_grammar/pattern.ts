/**
 * Regular expressions for constrained decoding.
 *
 * @module
 */
import type { CodeRange } from "./expression.ts";
import { complement } from "./json_grammar.ts";

/** A regular expression (ECMA-262), as far as supported. */
export type Pattern =
  | { readonly kind: "character"; readonly ranges: readonly CodeRange[] }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly min: number; readonly max: number };

/** A pattern is invalid or unsupported; the message says what was found. */
export class PatternError extends Error {
  override name = "PatternError";
}

const DIGIT: readonly CodeRange[] = [[0x30, 0x39]];
const WORD: readonly CodeRange[] = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const LINE_END: readonly CodeRange[] = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]];
const SPACE: readonly CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const classes: Readonly<Record<string, readonly CodeRange[]>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Larger counts would only make a grammar large. */
const LARGEST_COUNT = 1000;
const LARGEST_PATTERN = 10_000;
const DEEPEST_GROUP = 50;

const anything: Pattern = {
  kind: "repeat",
  part: { kind: "character", ranges: [[0, 0x10ffff]] },
  min: 0,
  max: Infinity,
};

/**
 * Parses a pattern with the semantics of JSON Schema: it may match anywhere in a text unless anchored by `^` and `$`.
 * The result matches the whole text.
 *
 * @throws {PatternError}
 */
export function parsePattern(source: string): Pattern {
  const pattern = new PatternReader(source).read();
  if (writtenOut(pattern) > LARGEST_PATTERN) {
    throw new PatternError(`counts that come to more than ${LARGEST_PATTERN} characters when they are written out`);
  }
  return pattern;
}

/** Characters of a pattern whose counts are written out, as a grammar has to. */
function writtenOut(pattern: Pattern): number {
  switch (pattern.kind) {
    case "character":
      return 1;
    case "repeat": {
      const times = pattern.max === Infinity ? pattern.min + 1 : pattern.max;
      return Math.max(1, times) * (1 + writtenOut(pattern.part));
    }
    default:
      return pattern.parts.reduce((total, part) => total + writtenOut(part), 1);
  }
}

/** Minimum and maximum number of characters that a pattern matches. */
export function patternLength(pattern: Pattern): { readonly min: number; readonly max: number } {
  switch (pattern.kind) {
    case "character":
      return { min: 1, max: 1 };
    case "repeat": {
      const { min, max } = patternLength(pattern.part);
      return { min: min * pattern.min, max: pattern.max === 0 || max === 0 ? 0 : max * pattern.max };
    }
    case "sequence": {
      const parts = pattern.parts.map(patternLength);
      return { min: sum(parts.map(({ min }) => min)), max: sum(parts.map(({ max }) => max)) };
    }
    case "choice": {
      const parts = pattern.parts.map(patternLength);
      return { min: Math.min(...parts.map((p) => p.min)), max: Math.max(...parts.map((p) => p.max)) };
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

class PatternReader {
  readonly #letters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#letters = Array.from(source);
  }

  read(): Pattern {
    const parts: Pattern[] = [];
    do {
      const starts = this.#take("^");
      const inner = this.#readSequence();
      const ends = this.#take("$");
      if (this.#peek() !== undefined && this.#peek() !== "|") {
        throw new PatternError(ends ? 'a "$" within' : `"${this.#peek()}" where nothing opens it`);
      }
      parts.push({ kind: "sequence", parts: [...starts ? [] : [anything], inner, ...ends ? [] : [anything]] });
    } while (this.#take("|"));
    return parts.length === 1 ? parts[0] : { kind: "choice", parts };
  }

  #readChoice(): Pattern {
    const parts = [this.#readSequence()];
    while (this.#take("|")) parts.push(this.#readSequence());
    return parts.length === 1 ? parts[0] : { kind: "choice", parts };
  }

  #readSequence(): Pattern {
    const parts: Pattern[] = [];
    for (let letter = this.#peek(); letter !== undefined; letter = this.#peek()) {
      if (letter === "|" || letter === ")" || letter === "$") break;
      parts.push(this.#readCount(this.#readAtom()));
    }
    return { kind: "sequence", parts };
  }

  #readAtom(): Pattern {
    const letter = this.#next();
    switch (letter) {
      case "(":
        return this.#readGroup();
      case "[":
        return { kind: "character", ranges: this.#readClass() };
      case ".":
        return { kind: "character", ranges: complement(LINE_END) };
      case "\\":
        return { kind: "character", ranges: this.#readEscape() };
      case "^":
        throw new PatternError('a "^" within');
      case "*":
      case "+":
      case "?":
        throw new PatternError(`"${letter}" with nothing before it`);
      default:
        return { kind: "character", ranges: single(letter) };
    }
  }

  #readGroup(): Pattern {
    if (++this.#depth > DEEPEST_GROUP) throw new PatternError(`more than ${DEEPEST_GROUP} groups in one another`);
    if (this.#take("?")) {
      const kind = this.#next();
      if (kind === "<" && this.#peek() !== "=" && this.#peek() !== "!") { while (this.#next() !== ">"); }
      else if (kind !== ":") throw new PatternError(`a group that begins with "(?${kind}"`);
    }
    const inner = this.#readChoice();
    if (!this.#take(")")) throw new PatternError(this.#peek() === "$" ? 'a "$" within' : "a group that is not closed");
    this.#depth--;
    return inner;
  }

  #readCount(part: Pattern): Pattern {
    const count = this.#readBounds();
    if (count === undefined) return part;
    this.#take("?"); // lazy repetition matches the same texts
    if (this.#readBounds() !== undefined) throw new PatternError("two counts in a row");
    return { kind: "repeat", part, ...count };
  }

  #readBounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take("*")) return { min: 0, max: Infinity };
    if (this.#take("+")) return { min: 1, max: Infinity };
    if (this.#take("?")) return { min: 0, max: 1 };
    const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#letters.slice(this.#at, this.#at + 16).join(""));
    if (braces === null) return undefined;
    this.#at += braces[0].length;
    const min = Number(braces[1]);
    const max = braces[2] === undefined ? min : braces[3] === "" ? Infinity : Number(braces[3]);
    if (min > LARGEST_COUNT || (max > LARGEST_COUNT && max !== Infinity)) {
      throw new PatternError(`the count ${braces[0]}, which is beyond ${LARGEST_COUNT}`);
    }
    if (min > max) throw new PatternError(`the count ${braces[0]}`);
    return { min, max };
  }

  #readClass(): readonly CodeRange[] {
    const negated = this.#take("^");
    const ranges: CodeRange[] = [];
    while (!this.#take("]")) {
      const first = this.#readClassAtom();
      if (this.#peek() === "-" && this.#letters[this.#at + 1] !== "]") {
        this.#next();
        const last = this.#readClassAtom();
        if (first.length > 1 || last.length > 1 || first[0][0] > last[0][1]) throw new PatternError("an invalid range");
        ranges.push([first[0][0], last[0][1]]);
      } else ranges.push(...first);
    }
    return negated ? complement(ranges) : ranges;
  }

  #readClassAtom(): readonly CodeRange[] {
    const letter = this.#next();
    if (letter !== "\\") return single(letter);
    if (this.#take("b")) return single("\b");
    if (this.#take("-")) return single("-");
    return this.#readEscape();
  }

  #readEscape(): readonly CodeRange[] {
    const letter = this.#next();
    if (Object.hasOwn(classes, letter)) return classes[letter];
    if (Object.hasOwn(controls, letter)) return [[controls[letter], controls[letter]]];
    if (letter === "0" && !/\d/.test(this.#peek() ?? "")) return [[0, 0]];
    if (letter === "x" || letter === "u") return this.#readCode(letter === "x" ? 2 : 4);
    if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`"\\${letter}"`);
    return single(letter);
  }

  #readCode(digits: number): readonly CodeRange[] {
    const rest = this.#letters.slice(this.#at, this.#at + 12).join("");
    const found = (digits === 4 ? /^\{([0-9A-Fa-f]{1,6})\}/.exec(rest) : null) ??
      new RegExp(`^([0-9A-Fa-f]{${digits}})`).exec(rest);
    const code = found === null ? Infinity : parseInt(found[1], 16);
    if (found === null || code > 0x10ffff) throw new PatternError("an invalid code");
    if (code >= 0xd800 && code <= 0xdfff) throw new PatternError("half a character");
    this.#at += found[0].length;
    return [[code, code]];
  }

  #peek(): string | undefined {
    return this.#letters[this.#at];
  }

  #next(): string {
    const letter = this.#letters[this.#at++];
    if (letter === undefined) throw new PatternError("an unexpected end");
    return letter;
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }
}

function single(letter: string): readonly CodeRange[] {
  const code = letter.codePointAt(0)!;
  return [[code, code]];
}
