import { LINT_RULES, lintManifest, type LintOptions, type LintRuleId } from "../../lib/manifest/mod.ts";
import type { ManifestHost } from "./manifest_host.ts";
import { formatReports, validateFiles } from "./validate_files.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc manifest validate";

const FLAGS = {
  format: { kind: "choice", choices: ["human", "json", "github", "sarif"], default: "human", help: "output format" },
  lint: {
    kind: "boolean",
    help: "also report probable mistakes in manifests that conform; the exit status stays the same",
  },
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
  const reports = await validateFiles(words, host, { lint: flags.lint, maxFindings, rules });
  for (const line of formatReports(flags.format, reports)) host.terminal.out(line);
  if (reports.some(({ error }) => error !== undefined)) return 2;
  return reports.every(({ valid }) => valid) ? 0 : 1;
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
