/**
 * Opens a built site as a visitor does, from Python's file server, and takes one step in its world:
 * `node --import tsx tests/first_five_minutes/open_site.ts FOLDER`.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { spawn } from "node:child_process";
import process from "node:process";
import { openBrowser } from "../page/browser.ts";

/** Milliseconds for the model to load and the step to be taken. */
const LIMIT = 120_000;

const server = spawn("python3", [
  "-u",
  "-m",
  "http.server",
  "0",
  "--bind",
  "127.0.0.1",
  "--directory",
  process.argv[2],
]);
try {
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    server.on("error", reject);
    server.on("close", () => reject(new Error(`Cannot serve ${process.argv[2]}: ${text}`)));
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (part) => {
        text += part;
        const [found] = /http:\/\/[\d.]+:\d+\//.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
  });
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT);
  const begin = performance.now();
  const since = (): string => ((performance.now() - begin) / 1000).toFixed(1);
  await page.goto(`${url}walk/`);
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>("#still")!.naturalWidth > 0);
  const picture = since();
  await page.locator("#connection", { hasText: /^Connected/ }).waitFor();
  await page.keyboard.press("w");
  await page.locator("#message", { hasText: /Walked forward/ }).waitFor();
  console.log(`first picture after ${picture} s, first step walked after ${since()} s`);
  await browser.close();
} finally {
  server.kill();
}
