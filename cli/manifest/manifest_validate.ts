import { parseSource } from "../../lib/manifest/json/json_source.ts";
import { lintParsedSource } from "../../lib/manifest/lint/lint_manifest.ts";
import {
  LINT_RULES,
  lintManifest,
  type LintOptions,
  type LintRuleId,
  type SourceFinding,
} from "../../lib/manifest/mod.ts";
import { validateSource } from "../../lib/manifest/validate/validate_manifest_text.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { githubReport, jsonReport, sarifReport } from "./manifest_formats.ts";
import { INPUT, type ManifestHost, readBytes } from "./manifest_host.ts";
import { humanReport } from "./manifest_human.ts";
import type { FileReport } from "./manifest_report.ts";

const COMMAND = "svc manifest validate";

const FLAGS = {
  format: { kind: "choice", choices: ["human", "json", "github", "sarif"], default: "human", help: "output format" },
  lint: { kind: "boolean", help: "also report probable mistakes in what conforms; the exit status stays the same" },
  rule: {
    kind: "strings",
    value: "ID=SEVERITY",
    help: "with --lint, set a severity: error, warning, note or off; repeatable",
  },
  "max-findings": {
    kind: "integer",
    value: "N",
    min: 0,
    max: 1e9,
    default: 1000,
    help: "maximum number of findings per file",
  },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Validate provider manifests and list the errors with their positions

Usage: ${COMMAND} FILE... | - [options]

Each FILE is a manifest, a folder (all .json files in it and below), a quoted pattern such as 'plugins/**/*.json', or
- for standard input. All files are checked, even if one of them is invalid.

Options:
${flagsHelp(FLAGS)}

Exit status: 0 all files conform, 1 some do not, 2 wrong usage or a file that cannot be read.

Lint rules: ${Object.keys(LINT_RULES).join(", ")}`;

/** Runs `svc manifest validate`. */
export async function manifestValidate(args: readonly string[], host: ManifestHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  if (words.length === 0) {
    throw new UsageError(
      `Cannot run ${COMMAND}: no file given, expected files, folders, patterns or - for standard input`,
    );
  }
  const rules = readRules(flags.rule);
  const maxFindings = flags["max-findings"];
  const reports: FileReport[] = [];
  const seen = new Set<string>();
  for (const word of words) {
    for (const { file, problem } of await filesOf(word, host)) {
      // A file may be named twice, directly and by its folder.
      if (seen.has(file)) continue;
      seen.add(file);
      try {
        if (problem !== undefined) throw new UsageError(`Cannot validate ${word}: ${problem}`);
        reports.push(check(file, await readBytes(file, "validate", host), flags.lint, { maxFindings, rules }));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        reports.push({ file, valid: false, findings: [], omitted: 0, text: "", error: message });
        host.terminal.err(message);
      }
    }
  }
  for (const line of formatted(flags.format, reports)) host.terminal.out(line);
  if (reports.some(({ error }) => error !== undefined)) return 2;
  return reports.every(({ valid }) => valid) ? 0 : 1;
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

function readRules(settings: readonly string[]): NonNullable<LintOptions["rules"]> {
  const unset = settings.find((setting) => !setting.includes("="));
  if (unset !== undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --rule is "${unset}", expected ID=SEVERITY, such as ${unset}=off`);
  }
  const rules = Object.fromEntries(settings.map((setting) => setting.split("=", 2))) as Record<LintRuleId, "off">;
  try {
    lintManifest(undefined, { rules });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  return rules;
}

function formatted(format: "human" | "json" | "github" | "sarif", reports: readonly FileReport[]): readonly string[] {
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
