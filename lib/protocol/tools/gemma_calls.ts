/**
 * Tool calls in the notation of Gemma: JSON without quotes around keys, and with a token for the quotes of strings.
 *
 * @module
 */
import { looseValue } from "./loose_json.ts";
import { type AnswerPiece, type CallContext, type CallMarks, readPieces, skip } from "./raw_tool_call.ts";

/** No function has deeper values. */
const MAX_DEPTH = 64;

const marks: CallMarks = {
  open: /<\|tool_call>|<start_function_call>/,
  close: /<tool_call\|>|<end_function_call>/,
  texts: ["<|tool_call>", "<start_function_call>"],
  ends: ["<tool_call|>", "<end_function_call>"],
};

/**
 * Reads `<|tool_call>call:name{key:<|"|>text<|"|>,list:[1,2]}<tool_call|>`, and the same with the marks of
 * FunctionGemma.
 */
export function readGemmaCalls(text: string, context: CallContext): AnswerPiece[] {
  return readPieces(text, marks, context, (_, start) => {
    const head = /\s*(?:```\w*\s*)?(?:call:\s*)?([\w.-]+)\s*/y;
    head.lastIndex = start;
    const name = head.exec(text)?.[1];
    if (name === undefined) return undefined;
    const closing = new RegExp(String.raw`(?:\s*[}\]])*(?:\s*\`\`\`)?(?:\s*(?:${marks.close.source}))?`, "y");
    const at = head.lastIndex;
    if (text[at] !== "{") {
      const end = skip(text, at, closing);
      return end > at || at === text.length && !context.cut ? { calls: [{ name, arguments: "{}" }], end } : undefined;
    }
    const notation = new GemmaNotation(text, at, context.cut);
    const json = notation.value(0);
    return json === undefined
      ? undefined
      : { calls: [{ name, arguments: json }], end: skip(text, notation.at, closing) };
  });
}

/** Reads a value as JSON text; undefined when there is none. */
class GemmaNotation {
  at: number;
  readonly #text: string;
  readonly #cut: boolean;

  constructor(text: string, at: number, cut: boolean) {
    this.#text = text;
    this.at = at;
    this.#cut = cut;
  }

  value(depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const quoted = this.#take(/(<\|"\|>|<escape>)([\s\S]*?)\1/y);
    if (quoted) return JSON.stringify(quoted[2]);
    if (this.#take(/\{\s*/y)) return this.#members(depth);
    if (this.#take(/\[\s*/y)) return this.#list(depth);
    if (this.#text[this.at] === '"') {
      const string = looseValue(this.#text, this.at);
      if (string !== undefined) this.at = string.end;
      return string?.json;
    }
    const bare = this.#take(/[^,[\]{}<]+/y)?.[0].trim();
    if (bare === undefined || bare === "") return undefined;
    return scalar(bare);
  }

  #members(depth: number): string | undefined {
    const members = new Map<string, string>();
    while (!this.#closes(/\s*\}/y)) {
      const key = this.#take(/\s*([^\s:,{}[\]<][^:,{}[\]<]*):\s*/y)?.[1].trim().replace(/^"(.*)"$/, "$1");
      const value = key === undefined ? undefined : this.value(depth + 1);
      if (key === undefined || value === undefined) return undefined;
      members.set(key, value);
      this.#take(/\s*,/y);
    }
    return `{${[...members].map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}`;
  }

  #list(depth: number): string | undefined {
    const list: string[] = [];
    while (!this.#closes(/\s*\]/y)) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
      this.#take(/\s*,\s*/y);
    }
    return `[${list.join(", ")}]`;
  }

  /** At a bracket; or without one at the bracket of what is around, at a mark, or at the end of the text. */
  #closes(bracket: RegExp): boolean {
    if (this.#take(bracket)) return true;
    const next = skip(this.#text, this.at, /\s*/y);
    if (next >= this.#text.length) return !this.#cut;
    if (/[}\]]/.test(this.#text[next])) return true;
    return skip(this.#text, next, new RegExp(`${marks.close.source}|${marks.open.source}`, "y")) > next;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}

/** A number as written or a literal of JSON or Python; any other word is a text. */
function scalar(bare: string): string {
  const value = looseValue(bare, 0);
  return value?.kind === "scalar" && value.end === bare.length ? value.json : JSON.stringify(bare);
}
