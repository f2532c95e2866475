/**
 * Tool calls as a Python list of calls.
 *
 * @module
 */
import { type AnswerPiece, type RawToolCall, readPieces } from "./raw_tool_call.ts";

/**
 * Reads `[name(key="value", other=[1, None]), …]` between marks, or as the whole answer, as Llama 3.2, Llama 4 and LFM2
 * write it. Values are Python literals; calls with positional arguments are text.
 */
export function readPythonicCalls(text: string): AnswerPiece[] {
  const marked = readPieces(text, /<\|(?:tool_call_start|python_start)\|>\s*(?=\[)/, (_, start) => {
    const read = readList(text, start);
    if (read === undefined) return undefined;
    const closing = /\s*<\|(?:tool_call_end|python_end)\|>/y;
    closing.lastIndex = read.end;
    return { calls: read.calls, textual: false, end: closing.test(text) ? closing.lastIndex : read.end };
  });
  if (marked.some((piece) => typeof piece !== "string")) return marked;
  const bare = readList(text, text.length - text.trimStart().length);
  if (bare === undefined || text.slice(bare.end).trim() !== "") return marked;
  return [{ raw: text, calls: bare.calls, textual: false }];
}

function readList(text: string, start: number): { calls: RawToolCall[]; end: number } | undefined {
  const reader = new LiteralReader(text, start);
  try {
    const calls = reader.list("[", "]", () => {
      const name = reader.match(/[A-Za-z_][\w.-]*/y);
      const pairs = reader.list("(", ")", () => {
        const key = reader.match(/[A-Za-z_]\w*/y);
        reader.match(/=/y);
        return [key, reader.value(0)] as const;
      });
      return { name, arguments: Object.fromEntries(pairs) };
    });
    return calls.length === 0 ? undefined : { calls, end: reader.at };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** No function has deeper arguments. */
const MAX_DEPTH = 64;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
const names: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

/** Reads Python literals. */
class LiteralReader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** The match of a sticky pattern after space. */
  match(pattern: RegExp): string {
    const found = this.#try(pattern);
    if (found === undefined) throw new SyntaxError(`Cannot read the calls: character ${this.at} is unexpected`);
    return found;
  }

  list<T>(open: string, close: string, item: () => T): T[] {
    this.#expect(open);
    const items: T[] = [];
    while (!this.#skip(close)) {
      if (items.length > 0) {
        this.#expect(",");
        if (this.#skip(close)) break;
      }
      items.push(item());
    }
    return items;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SyntaxError("Cannot read the calls: their arguments are nested too deep");
    const quoted = this.#try(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y);
    if (quoted !== undefined) return unescape(quoted.slice(1, -1));
    const number = this.#try(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return Number(number);
    if (this.#peek("[")) return this.list("[", "]", () => this.value(depth + 1));
    if (this.#peek("(")) return this.list("(", ")", () => this.value(depth + 1));
    if (this.#peek("{")) {
      return Object.fromEntries(this.list("{", "}", () => {
        const key = String(this.value(depth + 1));
        this.#expect(":");
        return [key, this.value(depth + 1)] as const;
      }));
    }
    const name = this.match(/[A-Za-z]+/y);
    if (!Object.hasOwn(names, name)) throw new SyntaxError(`Cannot read the calls: ${name} is not a literal`);
    return names[name];
  }

  #try(pattern: RegExp): string | undefined {
    while (/\s/.test(this.#text[this.at] ?? "")) this.at++;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #peek(letter: string): boolean {
    while (/\s/.test(this.#text[this.at] ?? "")) this.at++;
    return this.#text[this.at] === letter;
  }

  #skip(letter: string): boolean {
    if (!this.#peek(letter)) return false;
    this.at++;
    return true;
  }

  #expect(letter: string): void {
    if (!this.#skip(letter)) throw new SyntaxError(`Cannot read the calls: character ${this.at} is not ${letter}`);
  }
}

function unescape(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, unit, byte, letter) =>
      letter === undefined ? String.fromCharCode(parseInt(unit ?? byte, 16)) : escapes[letter] ?? letter,
  );
}
