import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import type { SourceFinding, SourceRange } from "../../lib/manifest/mod.ts";

/** The findings of a file as text, each with its source line. */
export function humanFindings({ file, findings, omitted, text }: FileReport): string[] {
  const name = file === "-" ? "<stdin>" : printable(file);
  const lines = findings.flatMap((finding) => {
    const { line, column, severity, rule, pointer, message, other } = finding;
    const where = pointer === "" ? "" : ` at ${printable(shorten(pointer))}`;
    return [
      `${name}:${line}:${column} ${severity} ${rule}${where}`,
      `  ${printable(message)}`,
      ...excerpt(text, finding, "^"),
      ...(other === undefined
        ? []
        : [`  the other occurrence is at ${name}:${other.line}:${other.column}`, ...excerpt(text, other, "-")]),
      "",
    ];
  });
  return omitted === 0 ? lines : [...lines, `${name}: ${omitted} more omitted, use --max-findings N to show more`, ""];
}

/** All files as text, and a summary line. */
export function humanReport(reports: readonly FileReport[]): string[] {
  const lines = reports.flatMap((report) => {
    const words = humanFindings(report);
    return report.valid && words.length === 0
      ? [`${report.file === "-" ? "<stdin>" : printable(report.file)}: conforms`]
      : words;
  });
  const all = reports.length;
  const conforming = reports.filter(({ valid }) => valid).length;
  const unread = reports.filter(({ error }) => error !== undefined).length;
  const found = reports.reduce((sum, { findings, omitted }) => sum + findings.length + omitted, 0);
  const verdict = `${conforming} of ${all} ${all === 1 ? "file" : "files"} conform${conforming === 1 ? "s" : ""}`;
  const findings = `${found} ${found === 1 ? "finding" : "findings"}`;
  return [...lines, `${verdict}, ${findings}${unread === 0 ? "" : `, ${unread} could not be read`}`];
}

/**
 * The first line of a range with a marker below it; of a long line the part around the marker. A range that continues
 * beyond that part is marked at its start.
 */
function excerpt(text: string, { line, column, start, end }: SourceRange, mark: string): string[] {
  const lineStart = start - column + 1;
  const from = Math.max(lineStart, start - BEFORE);
  const rest = text.slice(from, from + WIDTH);
  const shown = rest.slice(0, rest.search(/[\r\n]|$/));
  const dots = from > lineStart ? "..." : "";
  const number = String(line);
  // Escaped characters are longer than the original: the marker moves with them.
  const indent = dots.length + printable(shown.slice(0, start - from).replaceAll("\t", " ")).length;
  const markedEnd = end - from <= shown.length ? end : start + 1;
  const marked = printable(shown.slice(start - from, markedEnd - from).replaceAll("\t", " ")).length;
  return [
    `  ${number} | ${dots}${printable(shown.replaceAll("\t", " "))}`,
    `  ${" ".repeat(number.length)} | ${" ".repeat(indent)}${mark.repeat(Math.max(1, marked))}`,
  ];
}

function shorten(pointer: string): string {
  return pointer.length <= WIDTH ? pointer : `${pointer.slice(0, WIDTH / 2)}...${pointer.slice(-WIDTH / 2)}`;
}

const WIDTH = 120;
const BEFORE = 40;

/** The findings of one file. */
export interface FileReport {
  /** The file as named on the command line; `-` for standard input. */
  readonly file: string;
  /** Whether it conforms, regardless of lint findings. */
  readonly valid: boolean;
  readonly findings: readonly SourceFinding[];
  /** Number of omitted findings. */
  readonly omitted: number;
  /** The source, as far as it could be read. */
  readonly text: string;
  /** Why the file could not be read. */
  readonly error?: string;
}
