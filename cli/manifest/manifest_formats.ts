import { LINT_RULES, type Severity, type SourceRange } from "../../lib/manifest/mod.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import type { FileReport } from "./manifest_human.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";

/** One JSON object for all files. */
export function jsonReport(reports: readonly FileReport[]): string {
  const files = reports.map(({ file, valid, findings, omitted, error }) => ({
    file,
    valid,
    findings: findings.map(({ pointer, rule, severity, message, line, column, endLine, endColumn }) => ({
      pointer,
      rule,
      severity,
      message,
      line,
      column,
      end_line: endLine,
      end_column: endColumn,
    })),
    omitted,
    ...(error !== undefined && { error }),
  }));
  return JSON.stringify({ files, valid: files.every(({ valid }) => valid) }, null, 2);
}

/** Workflow commands by which GitHub Actions annotates the lines of a change. */
export function githubReport(reports: readonly FileReport[]): string[] {
  const lines: string[] = [];
  for (const { file, findings, omitted, error } of reports) {
    const command = (level: string, fields: Readonly<Record<string, string | number>>, message: string) => {
      const pairs = Object.entries(fields).map(([name, value]) => `${name}=${escapeField(String(value))}`);
      lines.push(`::${level} ${pairs.join(",")}::${escapeData(message)}`);
    };
    if (error !== undefined) command("error", { file }, error);
    for (const { line, column, endLine, endColumn, severity, rule, pointer, message } of findings) {
      // For a range of several lines GitHub would annotate the last one.
      const end = endLine === line ? { endLine, endColumn } : {};
      const text = pointer === "" ? message : `${message} (${pointer})`;
      command(GITHUB_LEVELS[severity], { file, line, col: column, ...end, title: rule }, text);
    }
    if (omitted > 0) command("notice", { file }, `${omitted} more findings were omitted`);
  }
  return lines;
}

const GITHUB_LEVELS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeField(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A log in the Static Analysis Results Interchange Format, version 2.1.0. */
export function sarifReport(reports: readonly FileReport[]): string {
  const ids = [...new Set(reports.flatMap(({ findings }) => findings.map(({ rule }) => rule)))];
  const results = reports.flatMap(({ file, findings }) =>
    findings.map((finding) => ({
      ruleId: finding.rule,
      ruleIndex: ids.indexOf(finding.rule),
      level: finding.severity,
      message: { text: finding.message },
      locations: [{
        physicalLocation: physicalLocation(file, finding),
        logicalLocations: [{ fullyQualifiedName: finding.pointer }],
      }],
      ...(finding.other && {
        relatedLocations: [{
          physicalLocation: physicalLocation(file, finding.other),
          message: { text: "the other occurrence" },
        }],
      }),
    }))
  );
  const unreadable = reports.filter(({ error }) => error !== undefined);
  return JSON.stringify(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [{
        tool: { driver: { name: "svc", version: VERSION, rules: ids.map(ruleDescription) } },
        columnKind: "utf16CodeUnits",
        invocations: [{
          executionSuccessful: unreadable.length === 0,
          toolExecutionNotifications: unreadable.map(({ error = "" }) => ({
            level: "error",
            message: { text: error },
          })),
        }],
        results,
      }],
    },
    null,
    2,
  );
}

function ruleDescription(id: string): object {
  const lint = Object.hasOwn(LINT_RULES, id) ? LINT_RULES[id as keyof typeof LINT_RULES] : undefined;
  const text = lint ? lint.reason : `The rule ${id} of the provider manifest contract`;
  return { id, shortDescription: { text } };
}

function physicalLocation(file: string, { line, column, endLine, endColumn, start, end }: SourceRange): object {
  return {
    artifactLocation: { uri: file === "-" ? "stdin" : uriOf(file) },
    region: { startLine: line, startColumn: column, endLine, endColumn, charOffset: start, charLength: end - start },
  };
}

/** The path of a file as a URI reference (RFC 3986, section 4.2; RFC 8089 for drives and shares of Windows). */
function uriOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  const uri = encodeURI(printable(path)).replaceAll("#", "%23").replaceAll("?", "%3F");
  if (/^[A-Za-z]:\//.test(path)) return `file:///${uri}`;
  if (path.startsWith("//")) return `file:${uri}`;
  if (path.startsWith("/")) return `file://${uri}`;
  // A first segment with a colon would be read as a scheme.
  return uri.split("/", 1)[0].includes(":") ? `./${uri}` : uri;
}
