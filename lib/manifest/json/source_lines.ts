/**
 * Lines and columns of offsets.
 *
 * @module
 */
import type { SourceRange } from "../validate/finding.ts";
import type { Span } from "./locate.ts";

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
