/**
 * Validates the manifests that a command line names.
 *
 * @module
 */
import { parseSource } from "../../lib/json/json_source.ts";
import { lintParsedSource } from "../../lib/manifest/lint/lint_manifest.ts";
import type { LintOptions, SourceFinding } from "../../lib/manifest/mod.ts";
import { validateSource } from "../../lib/manifest/validate/validate_manifest.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { githubReport, jsonReport, sarifReport } from "./manifest_formats.ts";
import { INPUT, type ManifestHost, readBytes } from "./manifest_host.ts";
import { type FileReport, humanReport } from "./manifest_human.ts";

/** How manifests are validated. */
export interface ValidateOptions extends Required<LintOptions> {
  /** Whether rules beyond the specification are checked too. */
  readonly lint: boolean;
}

/** The forms of a report. */
export type ReportFormat = "human" | "json" | "github" | "sarif";

/** Validates every file once, whatever is invalid about another; what cannot be read is reported and printed too. */
export async function validateFiles(
  words: readonly string[],
  host: ManifestHost,
  { lint, ...options }: ValidateOptions,
): Promise<readonly FileReport[]> {
  const reports: FileReport[] = [];
  const seen = new Set<string>();
  for (const word of words) {
    for (const { file, problem } of await filesOf(word, host)) {
      // A file may be named twice, directly and by its folder.
      if (seen.has(file)) continue;
      seen.add(file);
      try {
        if (problem !== undefined) throw new UsageError(`Cannot validate ${word}: ${problem}`);
        reports.push(check(file, await readBytes(file, "validate", host), lint, options));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        reports.push({ file, valid: false, findings: [], omitted: 0, text: "", error: message });
        host.terminal.err(message);
      }
    }
  }
  return reports;
}

/** The lines of a report. */
export function formatReports(format: ReportFormat, reports: readonly FileReport[]): readonly string[] {
  switch (format) {
    case "human":
      return humanReport(reports);
    case "json":
      return [jsonReport(reports)];
    case "github":
      return githubReport(reports);
    case "sarif":
      return [sarifReport(reports)];
  }
}

async function filesOf(
  word: string,
  host: ManifestHost,
): Promise<readonly { readonly file: string; readonly problem?: string }[]> {
  if (word === INPUT) return [{ file: word }];
  const found = await host.find(word);
  return found.problem === undefined ? found.files.map((file) => ({ file })) : [{ file: word, problem: found.problem }];
}

function check(file: string, bytes: Uint8Array, lint: boolean, options: Required<LintOptions>): FileReport {
  const parsed = parseSource(bytes);
  const { valid, findings, omitted } = validateSource(parsed, options);
  if (!lint) return { file, valid, findings, omitted, text: parsed.text };
  const rest = { ...options, maxFindings: options.maxFindings - findings.length };
  const more = lintParsedSource(parsed, rest);
  const all = [...findings, ...more.findings].sort((a: SourceFinding, b: SourceFinding) => a.start - b.start);
  return { file, valid, findings: all, omitted: omitted + more.omitted, text: parsed.text };
}
