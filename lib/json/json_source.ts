/**
 * The text of a JSON document: its value or where it is not JSON, and its lines and columns.
 *
 * @module
 */
import { type JsonProblem, MAX_DEPTH, scanJson } from "./scan_json.ts";
import type { Span } from "./json_tokens.ts";

/** A JSON text as a string or as bytes in UTF-8. */
export type JsonSource = string | Uint8Array;

/** The text and its value, or the readable part of the text and its problem. */
export type ParsedSource =
  | { readonly text: string; readonly value: unknown; readonly problem?: undefined }
  | { readonly text: string; readonly problem: JsonProblem };

/**
 * Never throws. A byte order mark at the start is skipped: one of bytes is dropped, one of a string counts as a space, so
 * that offsets stay those of the string. The value is that of `JSON.parse`, which is much faster than any parser written in JavaScript.
 */
export function parseSource(source: JsonSource): ParsedSource {
  const decoded = typeof source === "string" ? { text: source.replace(/^\uFEFF/, " ") } : decode(source);
  if (decoded.problem) return decoded;
  const { text } = decoded;
  // Overly deep texts would take gigabytes in JSON.parse.
  const problem = mayBeTooDeep(text) ? scanJson(text) : undefined;
  if (problem) return { text, problem };
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    return {
      text,
      problem: scanJson(text) ?? { start: 0, end: text.length, message: `the text cannot be parsed: ${error}` },
    };
  }
}

/** Whether a text has enough brackets to be nested too deeply; most are not even long enough. */
function mayBeTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let brackets = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > MAX_DEPTH) return true;
    }
  }
  return false;
}

function decode(bytes: Uint8Array): { readonly text: string; readonly problem?: JsonProblem } {
  if (bytes.length > LONGEST_STRING) {
    const found = `${bytes.length} bytes, expected at most ${LONGEST_STRING}, the maximum of a string`;
    return { text: "", problem: { start: 0, end: 0, message: `the text cannot be read: it has ${found}` } };
  }
  try {
    return { text: newDecoder().decode(bytes) };
  } catch {
    const length = rightPrefix(bytes);
    const text = newDecoder().decode(bytes.subarray(0, length), { stream: true });
    const at = text.length;
    const message = `the text is not JSON: found bytes that are not UTF-8 after byte ${length}, expected UTF-8`;
    return { text, problem: { start: at, end: at, message } };
  }
}

/** The length of the longest valid prefix, by bisection: a few decodings, and no table of UTF-8. */
function rightPrefix(bytes: Uint8Array): number {
  let [right, wrong] = [0, bytes.length + 1];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    try {
      newDecoder().decode(bytes.subarray(0, middle), { stream: true });
      right = middle;
    } catch {
      wrong = middle;
    }
  }
  return right;
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true });
}

/** In UTF-16 code units, of V8. */
const LONGEST_STRING = 2 ** 29 - 24;

/** Part of a text. */
export interface SourceRange {
  /** Line of the first character, from 1; lines end with a line feed, a carriage return or both. */
  readonly line: number;
  /** Column of the first character in UTF-16 code units, from 1. */
  readonly column: number;
  /** Line of the end. */
  readonly endLine: number;
  /** Column after the last character. */
  readonly endColumn: number;
  /** Offset of the first character in UTF-16 code units, from 0. */
  readonly start: number;
  /** Offset after the last character. */
  readonly end: number;
}

/**
 * Computes lines and columns of spans, all in one pass over the text. Lines end with a line feed, a carriage return or
 * both.
 *
 * @returns the lines and columns of one of the spans
 */
export function sourceRanges(text: string, spans: readonly Span[]): (span: Span) => SourceRange {
  const offsets = spans.flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b);
  const places = new Map<number, { readonly line: number; readonly column: number }>();
  let line = 1;
  let lineStart = 0;
  let feed = find(text, "\n", 0);
  let carriage = find(text, "\r", 0);
  for (const offset of offsets) {
    for (;;) {
      const next = (carriage < feed && feed !== carriage + 1 ? carriage : feed) + 1;
      if (next > offset) break;
      line++;
      lineStart = next;
      if (feed < next) feed = find(text, "\n", next);
      if (carriage < next) carriage = find(text, "\r", next);
    }
    places.set(offset, { line, column: offset - lineStart + 1 });
  }
  return ({ start, end }) => {
    const from = places.get(start)!;
    const to = places.get(end)!;
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column, start, end };
  };
}

/** The next position of the character; beyond the end of the text when there is none. */
function find(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? text.length + 1 : at;
}
