/**
 * How fast the world in a tab is, as the page itself counts it, and where the time goes: `deno task bench:site`. Prints
 * the tables of docs/benchmarks.md.
 *
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSite } from "../../scripts/site/build_site.mjs";
import { printMachine, printTable } from "../bench/table.ts";
import { openBrowser } from "./browser.ts";
import { connected } from "./opened_page.ts";
import { serveFolder } from "./static_server.ts";
import { collectMarks, partsOf, TRACES } from "./tab_trace.ts";

/** Moves that are timed, after as many that are not. */
const MOVES = 12;

interface TabTimes {
  readonly picture: number;
  readonly ready: number;
  readonly frames: readonly number[];
  /** Medians of the parts. */
  readonly parts: ReadonlyMap<string, number>;
}

async function timesOf(folder: string, isolated: boolean): Promise<TabTimes> {
  const server = await serveFolder(folder, { isolated, before: TRACES });
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const marks = await collectMarks(page);
  const begin = performance.now();
  const since = (): number => performance.now() - begin;
  await page.goto(`${server.url}walk/`);
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>("#still")!.naturalWidth > 0);
  const picture = since();
  await connected(page);
  await page.locator("#readouts dd", { hasText: /^Ready$/ }).waitFor();
  const ready = since();
  await page.click("#stats-on");
  const frames: number[] = [];
  const moves: ReadonlyMap<string, number>[] = [];
  for (let i = 0; i < 2 * MOVES; i++) {
    await page.keyboard.press(["w", "l", "s", "j"][i % 4]); // no move undoes the one before it, which would be replayed
    await page.locator("#message", { hasText: `now at state ${i + 1}.` }).waitFor();
    const [, milliseconds] = /First frames after (\d+) ms/.exec(await page.locator("#stats").innerText())!;
    const parts = partsOf(await marks());
    if (i < MOVES) continue;
    frames.push(Number(milliseconds));
    moves.push(parts);
  }
  await browser.close();
  await server.close();
  const parts = new Map(Array.from(moves[0].keys(), (name) => [name, median(moves.map((move) => move.get(name)!))]));
  return { picture, ready, frames: frames.sort((a, b) => a - b), parts };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

const folder = mkdtempSync(join(tmpdir(), "svc-site-"));
await buildSite(pathToFileURL(`${folder}/`));
const columns = [await timesOf(folder, false), await timesOf(folder, true)];
rmSync(folder, { recursive: true });
printMachine();
const row = (label: string, value: (times: TabTimes) => number): string[] => [
  label,
  ...columns.map((times) => value(times).toFixed(0)),
];
printTable(["world in a tab, ms", "one thread", "threads"], [
  row("address to the first picture", ({ picture }) => picture),
  row("address to a ready model", ({ ready }) => ready),
  row("warm move to its first frames, least", ({ frames }) => frames[0]),
  row("warm move to its first frames, median", ({ frames }) => frames[MOVES >> 1]),
]);
printTable(["where the time goes, ms", "one thread", "threads"], [
  ...Array.from(columns[0].parts.keys(), (name) => row(name, ({ parts }) => parts.get(name) ?? NaN)),
]);
