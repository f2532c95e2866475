/**
 * Tool calls in the notation of Gemma: JSON without quotes around keys, and with a token for the quotes of strings.
 *
 * @module
 */
import { type AnswerPiece, readPieces } from "./raw_tool_call.ts";

/** No function has deeper values. */
const MAX_DEPTH = 64;

/**
 * Reads `<|tool_call>call:name{key:<|"|>text<|"|>,list:[1,2]}<tool_call|>`, and the same with the marks of
 * FunctionGemma.
 */
export function readGemmaCalls(text: string): AnswerPiece[] {
  return readPieces(text, /<(?:\|tool_call|start_function_call)>\s*call:([\w.-]+)(?=\{)/, ([, name], start) => {
    const notation = new GemmaNotation(text, start);
    const found = notation.value(0);
    if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
    const close = /\s*<(?:tool_call\||end_function_call)>/y;
    close.lastIndex = notation.at;
    const end = close.test(text) ? close.lastIndex : notation.at;
    return { calls: [{ name, arguments: found as Record<string, unknown> }], textual: false, end };
  });
}

/** Reads a value; undefined when there is none. */
class GemmaNotation {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) return undefined;
    const quoted = this.#take(/(<\|"\|>|<escape>)([\s\S]*?)\1/y);
    if (quoted) return quoted[2];
    if (this.#take(/\{\s*/y)) return this.#members(depth);
    if (this.#take(/\[\s*/y)) return this.#list(depth);
    const bare = this.#take(/[^,[\]{}]+/y)?.[0].trim();
    if (bare === undefined) return undefined;
    if (bare === "None") return null;
    try {
      return JSON.parse(bare);
    } catch {
      return bare;
    }
  }

  #members(depth: number): unknown {
    const members: [string, unknown][] = [];
    while (!this.#take(/\s*\}/y)) {
      const key = this.#take(/\s*([^\s:,{}[\]][^:,{}[\]]*):/y)?.[1].trim();
      const value = key === undefined ? undefined : this.value(depth + 1);
      if (key === undefined || value === undefined) return undefined;
      members.push([key, value]);
      this.#take(/\s*,/y);
    }
    return Object.fromEntries(members);
  }

  #list(depth: number): unknown {
    const list: unknown[] = [];
    while (!this.#take(/\s*\]/y)) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
      this.#take(/\s*,\s*/y);
    }
    return list;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}
