/**
 * How fast the world in a tab is, as the page itself counts it: `deno task bench:site`. Prints the table of
 * docs/benchmarks.md.
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

/** Moves that are timed, after as many that are not. */
const MOVES = 12;

interface TabTimes {
  readonly picture: number;
  readonly ready: number;
  readonly frames: readonly number[];
}

async function timesOf(folder: string, isolated: boolean): Promise<TabTimes> {
  const server = await serveFolder(folder, { isolated });
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
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
  for (let i = 0; i < 2 * MOVES; i++) {
    await page.keyboard.press(["w", "l", "s", "j"][i % 4]); // no move undoes the one before it, which would be replayed
    await page.locator("#message", { hasText: `now at state ${i + 1}.` }).waitFor();
    const [, milliseconds] = /First frames after (\d+) ms/.exec(await page.locator("#stats").innerText())!;
    if (i >= MOVES) frames.push(Number(milliseconds));
  }
  await browser.close();
  await server.close();
  return { picture, ready, frames: frames.sort((a, b) => a - b) };
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
