/**
 * Tool calls as a Python list of calls.
 *
 * @module
 */
import { jsonCallsAt } from "./json_calls.ts";
import { jsonNumber } from "./loose_json.ts";
import {
  type AnswerPiece,
  type CallContext,
  type CallMarks,
  type FoundCalls,
  knownName,
  type RawToolCall,
  readPieces,
  skip,
} from "./raw_tool_call.ts";

const marks: CallMarks = {
  open: /<\|(?:tool_call_start|python_start)\|>/,
  close: /<\|(?:tool_call_end|python_end)\|>/,
  texts: ["<|tool_call_start|>", "<|python_start|>"],
  ends: ["<|tool_call_end|>", "<|python_end|>"],
};

/**
 * Reads `[name(key="value", other=[1, None]), …]` between marks, or as the whole answer, as Llama 3.2, Llama 4 and LFM2
 * write it. Values are Python literals; calls with positional arguments cannot be read.
 */
export function readPythonicCalls(text: string, context: CallContext): AnswerPiece[] {
  const marked = readPieces(
    text,
    marks,
    context,
    (_, start) => readList(text, start, context) ?? jsonCallsAt(text, start, marks, context),
  );
  if (marked.some((piece) => typeof piece !== "string")) return marked;
  const bare = readList(text, 0, context, true);
  const isKnown = bare?.calls.every(({ name }) => knownName(name, context) !== undefined);
  if (bare !== undefined && isKnown && bare.broken !== true) {
    const rest = text.slice(bare.end);
    if (rest.trim() === "") return [{ raw: text, calls: bare.calls, broken: false }];
    if (context.tools !== undefined) return [{ raw: text.slice(0, bare.end), calls: bare.calls, broken: false }, rest];
  }
  if (!beginsCall(text, context)) return marked;
  return [{ raw: text, calls: isKnown ? bare?.calls ?? [] : [], broken: true }];
}

/** Whether an answer without marks begins with a call of one of the functions, though it is broken or cut off. */
function beginsCall(text: string, context: CallContext): boolean {
  const { tools, cut } = context;
  const [, name, bracket] = /^\s*(?:```\w*\s*)?\[\s*([\w.-]*)(\()?/.exec(text) ?? [];
  if (tools === undefined || name === undefined) return false;
  if (bracket !== undefined) return knownName(name, context) !== undefined;
  return cut && text.trimEnd().endsWith(`[${name}`) && [...tools.keys()].some((known) => known.startsWith(name));
}

/** Calls in brackets, or between marks without them. */
function readList(text: string, start: number, { cut }: CallContext, isBare = false): FoundCalls | undefined {
  const at = skip(text, skip(text, start, /\s*```\w*/y), /\s*/y);
  if (text[at] !== "[" && isBare) return undefined;
  const reader = new LiteralReader(text, skip(text, at, /\[/y), cut);
  const calls: RawToolCall[] = [];
  let end = at;
  try {
    while (calls.length === 0 || reader.separator()) {
      const name = reader.match(/[A-Za-z_][\w.-]*/y);
      const pairs = reader.list("(", ")", () => {
        const key = reader.match(/[A-Za-z_]\w*/y);
        reader.match(/=/y);
        return [key, reader.value(0)] as const;
      });
      calls.push({ name, arguments: objectJson(pairs) });
      end = reader.at;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return calls.length === 0 ? undefined : { calls, end, broken: true };
  }
  const brackets = skip(text, end, /(?:[\s;,]*[\])])*(?:[\s;,]+$)?/y);
  // The bracket may be missing where the model has ended, but not where it was cut off.
  if (isBare && cut && !text.slice(end, brackets).includes("]")) return { calls, end, broken: true };
  const fence = skip(text, brackets, /\s*(?:```(?!\w)|`{1,2}$)/y);
  return { calls, end: skip(text, fence, new RegExp(String.raw`\s*(?:${marks.close.source})`, "y")) };
}

function objectJson(members: readonly (readonly [name: string, json: string])[]): string {
  return `{${[...new Map(members)].map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ")}}`;
}

/** No function has deeper arguments. */
const MAX_DEPTH = 64;

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
};
const names: Readonly<Record<string, string>> = {
  True: "true",
  False: "false",
  None: "null",
  true: "true",
  false: "false",
  null: "null",
};

/** Reads Python literals, and writes them as JSON. */
class LiteralReader {
  readonly #text: string;
  readonly #cut: boolean;
  at: number;

  constructor(text: string, at: number, cut: boolean) {
    this.#text = text;
    this.at = at;
    this.#cut = cut;
  }

  /** The match of a sticky pattern after space. */
  match(pattern: RegExp): string {
    const found = this.#try(pattern);
    if (found === undefined) throw new SyntaxError(`Cannot read the calls: character ${this.at} is unexpected`);
    return found;
  }

  /** Whether another call follows a comma. */
  separator(): boolean {
    return this.#skip(",") && this.#peek(/[A-Za-z_]/);
  }

  list<T>(open: string, close: string, item: () => T): T[] {
    this.#expect(open);
    const items: T[] = [];
    while (!this.#closes(close)) {
      if (items.length > 0) {
        this.#expect(",");
        if (this.#closes(close)) break;
      }
      items.push(item());
    }
    return items;
  }

  /** A value as JSON text, numbers as they are written. */
  value(depth: number): string {
    if (depth > MAX_DEPTH) throw new SyntaxError("Cannot read the calls: their arguments are nested too deep");
    const long = this.#try(/"""[\s\S]*?"""|'''[\s\S]*?'''/y);
    if (long !== undefined) return JSON.stringify(unescape(long.slice(3, -3)));
    const quoted = this.#try(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y);
    if (quoted !== undefined) return JSON.stringify(unescape(quoted.slice(1, -1)));
    const number = this.#try(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return jsonNumber(number);
    if (this.#peek(/\[/)) return `[${this.list("[", "]", () => this.value(depth + 1)).join(", ")}]`;
    if (this.#peek(/\(/)) return `[${this.list("(", ")", () => this.value(depth + 1)).join(", ")}]`;
    if (this.#peek(/\{/)) {
      return objectJson(this.list("{", "}", () => {
        const key = this.value(depth + 1);
        this.#expect(":");
        return [key.startsWith('"') ? JSON.parse(key) as string : key, this.value(depth + 1)] as const;
      }));
    }
    const name = this.match(/[A-Za-z]+/y);
    if (!Object.hasOwn(names, name)) throw new SyntaxError(`Cannot read the calls: ${name} is not a literal`);
    return names[name];
  }

  /** At a bracket; or without one at a mark or the end of the text, and at the bracket of what is around. */
  #closes(close: string): boolean {
    if (this.#skip(close)) return true;
    if (this.at >= this.#text.length) {
      if (!this.#cut) return true;
      throw new SyntaxError("Cannot read the calls: they are cut off");
    }
    return this.#peek(/[\])}]/) || skip(this.#text, this.at, new RegExp(`${marks.close.source}|\`\`\``, "y")) > this.at;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.at] ?? "")) this.at++;
  }

  #try(pattern: RegExp): string | undefined {
    this.#space();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #peek(letter: RegExp): boolean {
    this.#space();
    return letter.test(this.#text[this.at] ?? "");
  }

  #skip(letter: string): boolean {
    this.#space();
    if (this.#text[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  #expect(letter: string): void {
    if (!this.#skip(letter)) throw new SyntaxError(`Cannot read the calls: character ${this.at} is not ${letter}`);
  }
}

function unescape(text: string): string {
  return text.replace(
    /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (all, point, unit, byte, letter) => {
      if (point !== undefined) return parseInt(point, 16) > 0x10ffff ? all : String.fromCodePoint(parseInt(point, 16));
      return letter === undefined ? String.fromCharCode(parseInt(unit ?? byte, 16)) : escapes[letter] ?? all;
    },
  );
}
