/**
 * Gives findings their places in the source text.
 *
 * @module
 */
import type { Finding, SourceFinding } from "./finding.ts";
import { locate, type Location, type Span } from "./locate.ts";
import type { JsonProblem } from "./json_problem.ts";
import { sourceRanges } from "./source_lines.ts";

/** A finding with its offsets in the text. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly span: Span;
  /** The first occurrence of a duplicate. */
  readonly other?: Span;
}

/** The finding about a text that is not JSON. */
export function syntaxFinding({ start, end, message }: JsonProblem): PlacedFinding {
  const finding: Finding = { pointer: "", rule: "not_json", severity: "error", message, expected: "JSON" };
  return { finding, span: { start, end } };
}

/** Looks for what the pointers of findings name. */
export function placeFindings(text: string, findings: readonly Finding[]): PlacedFinding[] {
  if (findings.length === 0) return [];
  const pointers: string[] = [];
  for (const { pointer, otherPointer } of findings) {
    pointers.push(pointer);
    if (otherPointer !== undefined) pointers.push(otherPointer);
  }
  const locations = locate(text, pointers);
  return findings.map((finding) => {
    const { value, name } = locations.get(finding.pointer) as Location;
    const span = finding.rule === "additional_property" && name !== undefined ? name : value;
    if (finding.otherPointer === undefined) return { finding, span };
    return { finding, span, other: (locations.get(finding.otherPointer) as Location).value };
  });
}

/** The findings with lines and columns, in the order of the text. */
export function sourceFindings(text: string, placed: readonly PlacedFinding[]): SourceFinding[] {
  const sorted = [...placed].sort((a, b) => a.span.start - b.span.start);
  const spans: Span[] = [];
  for (const { span, other } of sorted) {
    spans.push(span);
    if (other !== undefined) spans.push(other);
  }
  const ranges = sourceRanges(text, spans);
  let next = 0;
  // The spread stands last: V8 takes fifty times as long when names follow it.
  return sorted.map(({ finding, other }) => {
    const { line, column, endLine, endColumn, start, end } = ranges[next++];
    if (other === undefined) return { line, column, endLine, endColumn, start, end, ...finding };
    return { line, column, endLine, endColumn, start, end, other: ranges[next++], ...finding };
  });
}
