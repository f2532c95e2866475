/**
 * Finds probable mistakes in conforming manifests.
 *
 * @module
 */
import type { Finding, SourceFinding } from "../validate/finding.ts";
import { type JsonSource, type ParsedSource, parseSource } from "../../json/json_source.ts";
import { lintNodes } from "./lint_nodes.ts";
import { type LintOptions, LintReport } from "./lint_report.ts";
import { lintScalars, lintSource } from "./lint_scalars.ts";
import { type PlacedFinding, placeFindings, sourceFindings } from "../validate/source_findings.ts";

export type { LintOptions } from "./lint_report.ts";

/** The findings, in the order of the document. */
export interface Lint<F extends Finding = Finding> {
  /** What was found, in document order. */
  readonly findings: readonly F[];
  /** Number of findings omitted because of `maxFindings`. */
  readonly omitted: number;
}

/**
 * Checks the rules of {@linkcode LINT_RULES}. A manifest that does not conform is checked as far as possible.
 *
 * @throws {RangeError} when an unknown rule is configured, or `maxFindings` is not a count
 * @example
 * ```ts
 * import { lintManifest, parseManifest } from "@svc/sdk/manifest";
 *
 * const lint = (text: string) => lintManifest(parseManifest(text), { rules: { zero_minimum: "off" } });
 * ```
 */
export function lintManifest(value: unknown, options: LintOptions = {}): Lint {
  const report = new LintReport(options);
  lintNodes(value, report);
  lintScalars(value, report);
  return { findings: report.list.findings, omitted: report.list.omitted };
}

/**
 * The same for source text, with lines and columns; only there repeated members can be seen, and integers that are
 * rounded as they were written. A text that is not JSON has no lint findings.
 *
 * @throws {RangeError} when a rule is configured that there is not, or `maxFindings` is not a count
 * @example
 * ```ts
 * import { lintManifestText } from "@svc/sdk/manifest";
 *
 * const { findings: [finding] } = lintManifestText('{"provider_id": "svc-a", "provider_id": "svc-b"}');
 * console.assert(finding.rule === "duplicate_member" && finding.column === 26 && finding.other?.column === 2);
 * ```
 */
export function lintManifestText(source: JsonSource, options: LintOptions = {}): Lint<SourceFinding> {
  return lintParsedSource(parseSource(source), options);
}

/** The same for a parsed source. */
export function lintParsedSource(parsed: ParsedSource, options: LintOptions): Lint<SourceFinding> {
  const report = new LintReport(options);
  if (parsed.problem) return { findings: [], omitted: 0 };
  lintNodes(parsed.value, report);
  lintSource(parsed.text, report);
  const { findings, omitted } = report.list;
  const placed: PlacedFinding[] = [];
  const unplaced: Finding[] = [];
  for (const finding of findings) {
    const spans = report.spans.get(finding);
    if (spans) placed.push({ finding, ...spans });
    else unplaced.push(finding);
  }
  placed.push(...placeFindings(parsed.text, unplaced));
  return { findings: sourceFindings(parsed.text, placed), omitted };
}
