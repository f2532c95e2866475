/**
 * JSON as models write it: read leniently, and written as JSON with everything else as it was.
 *
 * @module
 */

/** A value that was read. */
export interface LooseValue {
  readonly kind: "object" | "array" | "string" | "scalar";
  /** The value as JSON text: numbers, escapes, order and space as the model wrote them. */
  readonly json: string;
  /** Members of an object with their decoded names, in order, those that occur twice included. */
  readonly members: readonly (readonly [name: string, value: LooseValue])[];
  /** The text of a string; empty for other values. */
  readonly text: string;
  /** Where the value ends. */
  readonly end: number;
}

/** Where a value may end though its brackets are open. */
export interface LooseEnds {
  /** Marks after values, as a sticky expression. */
  readonly marks?: RegExp | undefined;
  /** Whether the text was cut off, so that its end closes nothing. */
  readonly cut?: boolean;
}

/** Deeper values are not read. */
const MAX_DEPTH = 500;

/**
 * Reads the value at a position. Repaired is what has one meaning only: Python's literals and single quotes, names
 * without quotes, commas before brackets, a brace too many, fences around values, control characters in strings, backslashes that escape nothing, and brackets
 * that are missing where the text or a mark ends the value.
 *
 * @returns undefined when there is no value, or it could mean several things
 */
export function looseValue(text: string, at: number, ends: LooseEnds = {}): LooseValue | undefined {
  try {
    return new LooseReader(text, at, ends).value(0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads a text that is one value and nothing else. */
export function wholeLooseValue(text: string): LooseValue | undefined {
  const start = text.length - text.trimStart().length;
  const value = looseValue(text, start);
  return value === undefined || text.slice(value.end).trim() !== "" ? undefined : value;
}

/**
 * The JSON text of the object that a value stands for as the arguments of a call; undefined when it is not an object.
 */
export function looseArguments(value: LooseValue | undefined, nesting = 0): string | undefined {
  if (value === undefined || value.json === "null" || /^\[\s*\]$/.test(value.json)) return "{}";
  if (value.kind === "object") return value.json;
  if (value.kind !== "string" || nesting > 2) return undefined;
  // Encoded twice: the arguments are the JSON in a string.
  const inner = value.text.trim();
  if (inner === "") return "{}";
  const decoded = wholeLooseValue(inner);
  return decoded && looseArguments(decoded, nesting + 1);
}

const SPACE = /[ \t\r\n]*/y;
const FENCE = /```[\w-]*\s*/y;
const FENCE_END = /\s*```/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
const words: Readonly<Record<string, string>> = {
  true: "true",
  false: "false",
  null: "null",
  True: "true",
  False: "false",
  None: "null",
};
const shorts: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

class LooseReader {
  readonly #text: string;
  readonly #ends: LooseEnds;
  #at: number;
  /** The JSON so far. */
  #out = "";
  /** Closing brackets of what is open. */
  readonly #open: string[] = [];
  /** Whether a mark or the end of the text has closed everything. */
  #ended = false;

  constructor(text: string, at: number, ends: LooseEnds) {
    this.#text = text;
    this.#at = at;
    this.#ends = ends;
  }

  value(depth: number): LooseValue {
    if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
    if (this.#take(FENCE) !== undefined) {
      const fenced = this.value(depth + 1);
      this.#take(FENCE_END);
      return { ...fenced, end: this.#at };
    }
    // A brace too many: no object begins with an object.
    if (this.#text[this.#at] === "{") this.#at = this.#doubled(this.#at);
    const start = this.#out.length;
    const c = this.#text[this.#at];
    const made = (kind: LooseValue["kind"], rest: Partial<LooseValue> = {}): LooseValue => {
      return { kind, json: this.#out.slice(start), members: [], text: "", end: this.#at, ...rest };
    };
    if (c === "{") return made("object", { members: this.#members(depth) });
    if (c === "[") {
      this.#items(depth);
      return made("array");
    }
    if (c === '"' || c === "'") {
      const text = this.#string(c);
      return made("string", { text });
    }
    const number = this.#take(NUMBER);
    if (number !== undefined) {
      this.#out += jsonNumber(number);
      return made("scalar");
    }
    const word = this.#take(WORD);
    if (word === undefined || !Object.hasOwn(words, word)) throw new SyntaxError("no value");
    this.#out += words[word];
    return made("scalar");
  }

  #doubled(at: number): number {
    let inner = at + 1;
    while (/\s/.test(this.#text[inner] ?? "")) inner++;
    return this.#text[inner] === "{" ? inner : at;
  }

  #members(depth: number): [string, LooseValue][] {
    const members: [string, LooseValue][] = [];
    this.#begin("{", "}");
    while (this.#next("}", members.length > 0)) {
      const name = this.#name();
      this.#space();
      if (this.#text[this.#at] !== ":") throw new SyntaxError("no colon");
      this.#copy(1);
      this.#space();
      members.push([name, this.value(depth + 1)]);
    }
    return members;
  }

  #items(depth: number): void {
    this.#begin("[", "]");
    for (let count = 0; this.#next("]", count > 0); count++) this.value(depth + 1);
  }

  #begin(bracket: string, close: string): void {
    this.#copy(bracket.length);
    this.#open.push(close);
  }

  /** Goes to the next member or item; false where the container ends. */
  #next(close: string, isBehind: boolean): boolean {
    const before = this.#out.length;
    const from = this.#at;
    this.#space();
    if (this.#closes(close, isBehind, before, from)) return false;
    if (!isBehind) return true;
    if (this.#text[this.#at] !== ",") throw new SyntaxError("no comma");
    const comma = this.#out.length;
    const commaAt = this.#at;
    this.#copy(1);
    this.#space();
    // A comma before a bracket says nothing, and one before an object belongs to a list around the value.
    const isLists = close === "}" && this.#text[this.#at] === "{";
    if (isLists) {
      this.#at = commaAt;
      this.#out = this.#out.slice(0, comma);
      return !this.#end(before, from);
    }
    const space = this.#out.slice(comma + 1);
    const isTrailing = this.#text[this.#at] === "}" || this.#text[this.#at] === "]";
    if (!isTrailing) return true;
    this.#out = this.#out.slice(0, comma) + space;
    return !this.#closes(close, true, comma, commaAt);
  }

  /** Whether the container ends here: at its bracket, at one around it, or where the value ends. */
  #closes(close: string, isBehind: boolean, before: number, from: number): boolean {
    const c = this.#text[this.#at];
    if (this.#ended) return this.#end(before, from);
    if (c === close) {
      this.#copy(1);
      this.#open.pop();
      return true;
    }
    if ((c === "}" || c === "]") && this.#open.includes(c)) {
      this.#out += close;
      this.#open.pop();
      return true;
    }
    return this.#isEnd(isBehind && close === "}") && this.#end(before, from);
  }

  #isEnd(isBehindMember: boolean): boolean {
    const { marks, cut } = this.#ends;
    if (this.#at >= this.#text.length) return cut !== true;
    // A bracket that belongs to none of the open ones, or what follows a whole object.
    if (/[}\]]/.test(this.#text[this.#at]) || isBehindMember && /[;{]/.test(this.#text[this.#at])) return true;
    if (marks === undefined) return false;
    marks.lastIndex = this.#at;
    return marks.test(this.#text);
  }

  /** Closes a container whose bracket is missing, without the space before the end. */
  #end(before: number, from: number): true {
    this.#ended = true;
    this.#at = from;
    this.#out = this.#out.slice(0, before) + this.#open.pop();
    return true;
  }

  #name(): string {
    const c = this.#text[this.#at];
    if (c === '"' || c === "'") return this.#string(c);
    const word = this.#take(WORD);
    if (word === undefined) throw new SyntaxError("no name");
    this.#out += JSON.stringify(word);
    return word;
  }

  /** Copies a string; returns its text. */
  #string(quote: string): string {
    let json = '"';
    let at = this.#at + 1;
    for (; this.#text[at] !== quote; at++) {
      const c = this.#text[at];
      if (c === undefined) throw new SyntaxError("no closing quote");
      if (c === "\\") {
        const escape = this.#escape(at, quote);
        json += escape.json;
        at += escape.length - 1;
      } else if (c === '"') json += '\\"';
      else if (c < " ") json += shorts[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
      else json += c;
    }
    this.#at = at + 1;
    json += '"';
    this.#out += json;
    return JSON.parse(json) as string;
  }

  #escape(at: number, quote: string): { readonly json: string; readonly length: number } {
    const next = this.#text[at + 1] ?? "";
    const isPython = quote === "'";
    if (next === "u" && /^[\da-fA-F]{4}$/.test(this.#text.slice(at + 2, at + 6))) {
      return { json: this.#text.slice(at, at + 6), length: 6 };
    }
    if (next === "x" && isPython && /^[\da-fA-F]{2}$/.test(this.#text.slice(at + 2, at + 4))) {
      return { json: `\\u00${this.#text.slice(at + 2, at + 4)}`, length: 4 };
    }
    if (next === "'") return { json: "'", length: 2 };
    if (next !== "" && '"\\/bfnrt'.includes(next)) return { json: `\\${next}`, length: 2 };
    return { json: "\\\\", length: 1 };
  }

  #space(): void {
    this.#out += this.#take(SPACE) ?? "";
  }

  #copy(count: number): void {
    this.#out += this.#text.slice(this.#at, this.#at + count);
    this.#at += count;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/**
 * A number of JSON or Python as JSON: as written, except for what JSON does not have.
 *
 * @throws {SyntaxError} for leading zeros, which may mean a text.
 */
export function jsonNumber(written: string): string {
  const [, sign, whole, fraction, exponent] = /^([+-]?)(\d*)(\.\d*)?(.*)$/.exec(written) as RegExpExecArray;
  if (/^0\d/.test(whole)) throw new SyntaxError("leading zeros");
  const part = fraction === "." ? ".0" : fraction ?? "";
  return `${sign === "-" ? "-" : ""}${whole === "" ? "0" : whole}${part}${exponent}`;
}
