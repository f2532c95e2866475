/**
 * Takes the pictures of the site in docs/images/: `node --import tsx tests/page/take_site_screenshots.ts FOLDER`, where
 * FOLDER is a built site.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { openBrowser } from "./browser.ts";
import { serveFolder } from "./static_server.ts";

const server = await serveFolder(process.argv[2] ?? "dist/site");
const browser = await openBrowser();
const picture = (name: string): string => fileURLToPath(new URL(`../../docs/images/${name}.webp`, import.meta.url));
const take = async (page: Page, name: string): Promise<void> => {
  await sharp(await page.screenshot()).removeAlpha().webp({ lossless: true, effort: 6 }).toFile(picture(name));
};
const open = async (path: string, colorScheme: "light" | "dark", height = 800) => {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height } });
  page.setDefaultTimeout(120_000); // the model has to load
  await page.goto(server.url + path);
  return page;
};

const start = await open("", "dark", 860);
await start.click("#enter");
const walk = start.frameLocator("#world iframe");
for (const [key, words] of [["w", /state 1/], ["w", /state 2/], ["l", /state 3/]] as const) {
  await walk.locator("#connection", { hasText: /^Connected/ }).waitFor({ state: "attached" });
  await start.keyboard.press(key);
  await walk.locator("#message", { hasText: words }).waitFor();
}
await take(start, "site-start");

const manifest = await open("manifest/", "light");
await manifest.click("#findings li:nth-child(3) button");
await manifest.keyboard.type('"');
await manifest.locator("#suggestions li").first().waitFor();
await take(manifest, "site-manifest-editor");

const api = await open("api/manifest.html#validateManifestText", "light");
await api.fill("#query", "finding");
await api.locator("#results a").first().waitFor();
await take(api, "site-api");

await browser.close();
await server.close();
