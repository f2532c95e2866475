/**
 * Tables and sections of Markdown.
 *
 * @module
 */

/** A table; empty without rows. Short rows are filled up. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => head.map((_, i) => (row[i] ?? "").replaceAll("|", "\\|").replaceAll("\n", " ")));
  const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => i === 0 ? "---" : "--:")), ...cells.map(line)].join("\n") + "\n";
}

/** A section; empty without any content. */
export function section(title: string, ...content: readonly string[]): string {
  const parts = content.filter((text) => text !== "");
  return parts.length === 0 ? "" : [`## ${title}\n`, ...parts].join("\n");
}
