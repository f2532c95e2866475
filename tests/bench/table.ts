/**
 * Tables as Markdown, so that what is printed can be pasted into a page.
 *
 * @module
 */
import { cpus, loadavg, totalmem } from "node:os";

/** Prints the line that says where figures come from, and how busy the machine was with other things. */
export function printMachine(): void {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  const day = new Date().toISOString().slice(0, 10);
  // deno-lint-ignore no-console
  console.log(
    `${cpus()[0].model}, ${cpus().length} cores, ${gigabytes} GiB, load ${loadavg()[0].toFixed(1)}, ${day}\n`,
  );
}

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
