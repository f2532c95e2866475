/**
 * `publish_report.ts FOLDER`: turns what a proof left in a folder into `docs/gpu/<card>.md`, and into a row of the table
 * of cards in `docs/benchmarks.md`, in the place of an earlier row of the card.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { blockMs, speedsOf } from "./aims.ts";
import { cardOf, type ProofSummary, renderReport } from "./report.ts";

const [BEGIN, END] = ["<!-- cards: npm run proof:gpu writes these rows -->", "<!-- cards end -->"];
const HEAD = "| card | products | convolutions | attention | 5B block, s | corridor-nano, frames/s | measured |\n" +
  "| --- | --: | --: | --: | --: | --: | --- |";

/** The name of a card's file. */
export function cardFile(card: string): string {
  return `${card.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "")}.md`;
}

/** The row of a card: speeds beside PyTorch are medians of all shapes. */
export function cardRow(summary: ProofSummary): string {
  const beside = (group: string) => {
    const speeds = speedsOf(summary, group).sort((a, b) => a - b);
    return speeds.length > 0 ? `${speeds[speeds.length >> 1].toFixed(2)}x` : "";
  };
  const block = blockMs(summary);
  const frames = summary.parts.embedded_world?.f16?.framesPerSecond;
  const card = cardOf(summary);
  return `| [${card}](gpu/${cardFile(card)}) | ${beside("linear")} | ${beside("conv3d")} | ${beside("attention")} | ` +
    `${block ? (block / 1000).toFixed(2) : ""} | ${frames?.toFixed(0) ?? ""} | ${summary.date}, ${summary.commit} |`;
}

/**
 * The page with the card's row: the other cards' rows stay, the table is sorted.
 *
 * @throws when the page has no marks around the table.
 */
export function withCardRow(page: string, card: string, row: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`Cannot write the row: the page has no "${BEGIN}" before "${END}"`);
  const rows = page.slice(begin + BEGIN.length, end).split("\n").filter((line) => line.startsWith("| ["));
  const others = rows.filter((line) => !line.startsWith(`| [${card}]`));
  return `${page.slice(0, begin)}${BEGIN}\n\n${HEAD}\n${[...others, row].sort().join("\n")}\n\n${page.slice(end)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = join(process.argv[2], "summary.json");
  if (!existsSync(file)) {
    process.stderr.write(`Cannot read the results: ${file} does not exist, expected the folder that the proof wrote\n`);
    process.exit(2);
  }
  const summary: ProofSummary = JSON.parse(readFileSync(file, "utf8"));
  if (summary.parts.adapter?.rehearsal !== false) {
    process.stderr.write(
      `Cannot publish ${file}: it is of a rehearsal or of no adapter, expected the proof of a GPU\n`,
    );
    process.exit(2);
  }
  const card = cardOf(summary);
  const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));
  mkdirSync(join(docs, "gpu"), { recursive: true });
  writeFileSync(join(docs, "gpu", cardFile(card)), renderReport(summary));
  const page = join(docs, "benchmarks.md");
  writeFileSync(page, withCardRow(readFileSync(page, "utf8"), card, cardRow(summary)));
  process.stdout.write(`docs/gpu/${cardFile(card)} and a row in docs/benchmarks.md are written\n`);
}
