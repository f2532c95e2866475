/**
 * Takes the pictures of the page, or those that are named:
 * `node --import tsx tests/page/take_screenshots.ts [world-page-still.webp ...]`. Those that the documents show go to
 * examples/, the others to out/.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { closeAll, type OpenedPage, type PageOptions, withPage } from "./opened_page.ts";
import { recordPage } from "./record_page.ts";
import { playedOut } from "./video_checks.ts";

interface Picture {
  readonly options: PageOptions;
  readonly walk: (opened: OpenedPage) => Promise<void>;
}

const desktop = { viewport: { width: 1280, height: 800 }, colorScheme: "dark" } as const;
const small = { ...desktop, viewport: { width: 960, height: 620 } };
const tall = { ...desktop, viewport: { width: 1280, height: 1040 } };
const phone = { viewport: { width: 390, height: 844 }, colorScheme: "light", deviceScaleFactor: 2 } as const;
const pictures: Readonly<Record<string, Picture>> = {
  "world-page-still.webp": { options: { context: desktop }, walk: walkWithSavedPlaces },
  "world-page-phone.webp": { options: { context: phone }, walk: walkWithSavedPlaces },
  "world-page-actions.webp": { options: { backend: "actionworld", context: tall }, walk: walkByNumbers },
};

async function move({ page, said }: OpenedPage, key: string, words: RegExp): Promise<void> {
  await page.keyboard.press(key);
  await said(words);
}

async function leaveField(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
}

async function walkWithSavedPlaces(opened: OpenedPage): Promise<void> {
  const { page, said } = opened;
  const save = async (name: string): Promise<void> => {
    await page.fill("#saved-name", name);
    await page.keyboard.press("Enter");
    await said(new RegExp(`Saved this place as ${name}`));
    await leaveField(page);
  };
  await move(opened, "w", /state 1/);
  await move(opened, "w", /state 2/);
  await save("Crossing");
  await move(opened, "l", /state 3/);
  await move(opened, "w", /state 4/);
  await save("Orange door");
  await page.getByRole("button", { name: "Return to Crossing" }).click();
  await said(/Returned/);
  await leaveField(page);
  await page.evaluate(() => scrollTo(0, 0));
  await move(opened, "w", /state 3/);
  await move(opened, "j", /state 4/);
}

/** Ten moves, five of them walked back, and three new ones. */
async function walkByNumbers(opened: OpenedPage): Promise<void> {
  const { page, said } = opened;
  for (const [i, key] of [..."wwlwjwdwia"].entries()) await move(opened, key, new RegExp(`state ${i + 1}\\.`));
  await page.locator("#graph .state").nth(5).click();
  await page.locator("#graph .here", { hasText: "State 5" }).waitFor();
  await move(opened, "w", /state 16/);
  await move(opened, "l", /state 17/);
  await page.click("#more-title");
  for (const [id, value] of [["x", "0.25"], ["z", "1"], ["ry", "-7.5"]]) await page.fill(`#custom-${id}`, value);
  await page.keyboard.press("Enter");
  await said(/state 18/);
  await leaveField(page);
  await page.evaluate(() => scrollTo(0, 0));
}

/** A recording of six moves. */
async function record(path: string): Promise<void> {
  await withPage({ shipped: true, context: small }, async (opened) => {
    const { page, begin } = opened;
    await begin();
    await page.mouse.move(0, 0);
    const bytes = await recordPage(page, 50, async () => {
      for (const [i, key] of [..."wwlwjw"].entries()) await move(opened, key, new RegExp(`state ${i + 1}\\.`));
      await playedOut(page);
    });
    writeFileSync(path, bytes);
  });
}

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const shown = ["world-page.webp", "world-page-still.webp"];
const pathOf = (name: string): string => {
  const folder = new URL(`../../${shown.includes(name) ? "examples" : "out"}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  return fileURLToPath(new URL(name, folder));
};
if (isWanted("world-page.webp")) await record(pathOf("world-page.webp"));
for (const [name, { options, walk }] of Object.entries(pictures)) {
  if (!isWanted(name)) continue;
  await withPage({ ...options, shipped: true }, async (opened) => {
    const { page } = opened;
    await walk(opened);
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => document.querySelector("video")!.readyState === 2);
    await sharp(await page.screenshot()).removeAlpha().webp({ quality: 80, effort: 6 }).toFile(pathOf(name));
  });
}
await closeAll();
process.exit(0);
