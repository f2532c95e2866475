/**
 * Every page of the site under the rules of axe, light and dark, wide and narrow: `deno task site:check`. The tests of
 * the page step take a few of them.
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
await server.close();
rmSync(folder, { recursive: true });
console.log(`${count} findings`);
process.exit(count > 0 ? 1 : 0);
