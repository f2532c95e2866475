/**
 * Tables as Markdown, so that what is printed can be pasted into a page.
 *
 * @module
 */

/** Prints rows under their headings, columns aligned. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const width = head.map((h, i) => Math.max(h.length, ...rows.map((r) => r[i].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((c, i) => (i ? c.padStart(width[i]) : c.padEnd(width[i]))).join(" | ")} |`;
  // deno-lint-ignore no-console
  console.log(
    [line(head), `|${width.map((w, i) => "-".repeat(w + 1) + (i ? ":" : "-")).join("|")}|`, ...rows.map(line)].join(
      "\n",
    ) + "\n",
  );
}
