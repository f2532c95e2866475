/**
 * JSON as it was written: a parser makes doubles of all numbers, and puts members whose names are numbers first.
 *
 * @module
 */
import { locate } from "./json_pointer.ts";
import { skipSpace, stringEnd } from "./json_tokens.ts";

const texts = new WeakMap<object, string>();

/** Remembers the text of a parsed value for as long as the value lives. */
export function keepJsonText(value: unknown, text: string): void {
  if (typeof value === "object" && value !== null) texts.set(value, text);
}

/** Remembers the texts of some parts of a value whose own text is known, by their JSON pointers. */
export function keepPartTexts(value: object, parts: readonly (readonly [pointer: string, part: unknown])[]): void {
  const text = texts.get(value);
  if (text === undefined || parts.length === 0) return;
  const places = locate(text, parts.map(([pointer]) => pointer));
  for (const [i, [, part]] of parts.entries()) {
    const { start, end } = places[i].value;
    if (end > start) keepJsonText(part, text.slice(start, end));
  }
}

/** Whether the text of a parsed value is known. */
export function hasJsonText(value: unknown): boolean {
  return typeof value === "object" && value !== null && texts.has(value);
}

/**
 * The text of a value in one line: its numbers and the order of its members as they were written, if it was read from a
 * text, all else as JavaScript writes it.
 */
export function jsonTextOf(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  return text === undefined ? JSON.stringify(value) : spacedJson(text, { string: plainString });
}

function plainString(written: string): string {
  return written.includes("\\") ? JSON.stringify(JSON.parse(written)) : written;
}

/** What is between the tokens of a JSON text. */
interface JsonSpacing {
  /** Between members, and between a name and its value. */
  readonly separators?: readonly [string, string];
  /** What each level is indented by; undefined for one line. */
  readonly indent?: string | undefined;
  /** What the whole text is indented by. */
  readonly margin?: string;
  /** Rewrites strings, which have their quotes; they stay as they are by default. */
  readonly string?: (written: string) => string;
}

/** A valid JSON text with other space between its tokens, which stay as they were written. */
export function spacedJson(
  text: string,
  { separators: [comma, colon] = [",", ":"], indent, margin = "", string = (written) => written }: JsonSpacing,
): string {
  const parts: string[] = [];
  let depth = 0;
  const line = (): string => indent === undefined ? "" : `\n${margin}${indent.repeat(depth)}`;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const c = text[at];
    const next = skipSpace(text, at + 1);
    if (c === "{" || c === "[") {
      const isEmpty = text[next] === "}" || text[next] === "]";
      if (!isEmpty) depth++;
      parts.push(isEmpty ? c + text[next] : c + line());
      at = isEmpty ? skipSpace(text, next + 1) : next;
    } else if (c === "}" || c === "]") {
      depth--;
      parts.push(line() + c);
      at = next;
    } else if (c === "," || c === ":") {
      parts.push(c === "," ? comma + line() : colon);
      at = next;
    } else {
      const end = c === '"' ? stringEnd(text, at) : scalarEnd(text, at);
      parts.push(c === '"' ? string(text.slice(at, end)) : text.slice(at, end));
      at = skipSpace(text, end);
    }
  }
  return parts.join("");
}

function scalarEnd(text: string, start: number): number {
  const end = /[\s,:\]}]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}
