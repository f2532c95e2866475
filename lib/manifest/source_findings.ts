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
  readonly other?: Span | undefined;
}

/** The finding about a text that is not JSON. */
export function syntaxFinding({ start, end, message }: JsonProblem): PlacedFinding {
  const finding: Finding = { pointer: "", rule: "not_json", severity: "error", message, expected: "JSON" };
  return { finding, span: { start, end } };
}

/** Looks for what the pointers of findings name. */
export function placeFindings(text: string, findings: readonly Finding[]): PlacedFinding[] {
  if (findings.length === 0) return [];
  const locations = locate(text, findings.flatMap(({ pointer, otherPointer = pointer }) => [pointer, otherPointer]));
  return findings.map((finding) => {
    const { value, name = value } = locations.get(finding.pointer) as Location;
    const span = finding.rule === "additional_property" ? name : value;
    const { otherPointer } = finding;
    return { finding, span, other: otherPointer === undefined ? undefined : locations.get(otherPointer)?.value };
  });
}

/** The findings with lines and columns, in the order of the text. */
export function sourceFindings(text: string, placed: readonly PlacedFinding[]): SourceFinding[] {
  const sorted = [...placed].sort((a, b) => a.span.start - b.span.start);
  const rangeOf = sourceRanges(text, sorted.flatMap(({ span, other = span }) => [span, other]));
  return sorted.map(({ finding, span, other }) => ({
    ...finding,
    ...rangeOf(span),
    ...(other && { other: rangeOf(other) }),
  }));
}
