/**
 * Lines and columns of offsets.
 *
 * @module
 */
import type { SourceRange } from "./finding.ts";
import type { Span } from "./locate.ts";

/**
 * Gives spans their lines and columns, all in one pass over the text. Lines end with a line feed, a carriage return or
 * both.
 */
export function sourceRanges(text: string, spans: readonly Span[]): SourceRange[] {
  const offsets: number[] = [];
  for (const { start, end } of spans) offsets.push(start, end);
  const places = new Map<number, { readonly line: number; readonly column: number }>();
  let line = 1;
  let lineStart = 0;
  let feed = find(text, "\n", 0);
  let carriage = find(text, "\r", 0);
  for (const offset of offsets.sort((a, b) => a - b)) {
    for (;;) {
      const next = carriage < feed ? (feed === carriage + 1 ? feed : carriage) + 1 : feed + 1;
      if (next > offset) break;
      line++;
      lineStart = next;
      if (feed < next) feed = find(text, "\n", next);
      if (carriage < next) carriage = find(text, "\r", next);
    }
    places.set(offset, { line, column: offset - lineStart + 1 });
  }
  return spans.map(({ start, end }) => {
    const from = places.get(start)!;
    const to = places.get(end)!;
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column, start, end };
  });
}

function find(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? Infinity : at;
}
