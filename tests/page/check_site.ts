/**
 * What takes too long for every run of the tests: `deno task site:check`. Every page of the site under the rules of axe,
 * light and dark, wide and narrow, of which the page step takes a few; and a walk in the tab on Chromium's own WebGPU,
 * which SwiftShader computes on the CPU here: about three minutes.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { buildSite } from "../../scripts/site/build_site.mjs";
import { openBrowser } from "./browser.ts";
import { connected } from "./opened_page.ts";
import { axeFindings, brokenLinks, pagesOf } from "./site_checks.ts";
import { serveFolder } from "./static_server.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-site-"));
await buildSite(pathToFileURL(`${folder}/`));
const server = await serveFolder(folder);
const browser = await openBrowser();
let count = 0;
const report = (findings: readonly string[], where: string): void => {
  for (const finding of findings) console.log(`${where}: ${finding}`);
  count += findings.length;
};
report(brokenLinks(folder), "broken link");
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    for (const path of pagesOf(folder)) {
      await page.goto(server.url + path);
      const where = `${path}, ${colorScheme}, ${width} pixels`;
      report(await axeFindings(page), where);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) report([`${over} pixels too wide`], where);
    }
    await page.close();
  }
}
await browser.close();

const onGpu = await openBrowser({ webgpu: true });
const page = await onGpu.newPage();
page.setDefaultTimeout(20 * 60_000);
await page.goto(`${server.url}walk/?device=webgpu`);
await connected(page);
await page.keyboard.press("w");
const said = page.locator("#message:not(:empty), #error:not(:empty)").filter({ hasText: /Walked forward|Cannot/ });
const outcome = await said.first().innerText();
const readouts = await page.locator("#readouts").innerText();
if (!outcome.startsWith("Walked forward")) report([outcome], "a walk on WebGPU");
if (!/\(navigator\.gpu\), f(32|16)/.test(readouts)) report([readouts], "a walk on WebGPU");
await onGpu.close();
await server.close();
rmSync(folder, { recursive: true });
console.log(`${count} findings`);
process.exit(count > 0 ? 1 : 0);
