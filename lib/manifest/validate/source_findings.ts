/**
 * Adds source positions to findings.
 *
 * @module
 */
import type { Finding, SourceFinding } from "./finding.ts";
import { locate } from "../../json/json_pointer.ts";
import type { Span } from "../../json/json_tokens.ts";
import type { JsonProblem } from "../../json/scan_json.ts";
import { sourceRanges } from "../../json/json_source.ts";

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

/** Locates the pointers of findings. */
export function placeFindings(text: string, findings: readonly Finding[]): PlacedFinding[] {
  if (findings.length === 0) return [];
  const pointers = findings.map(({ pointer }) => pointer);
  for (const { otherPointer } of findings) if (otherPointer !== undefined) pointers.push(otherPointer);
  const locations = locate(text, pointers);
  let next = findings.length;
  return findings.map((finding, i) => {
    const { value, name = value } = locations[i];
    const span = finding.rule === "additional_property" ? name : value;
    return finding.otherPointer === undefined ? { finding, span } : { finding, span, other: locations[next++].value };
  });
}

/** The findings with lines and columns, in the order of the text. */
export function sourceFindings(text: string, placed: readonly PlacedFinding[]): SourceFinding[] {
  const sorted = [...placed].sort((a, b) => a.span.start - b.span.start);
  const spans = sorted.map(({ span }) => span);
  for (const { other } of sorted) if (other !== undefined) spans.push(other);
  const rangeOf = sourceRanges(text, spans);
  return sorted.map(({ finding, span, other }) => {
    const found = { ...finding, ...rangeOf(span) };
    return other === undefined ? found : { ...found, other: rangeOf(other) };
  });
}
