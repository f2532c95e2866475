/**
 * Takes the pictures of the page in examples/: `node --import tsx tests/page/take_screenshots.ts`.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { closeAll, withPage } from "./opened_page.ts";

const pictures: Readonly<Record<string, BrowserContextOptions>> = {
  "world-page.png": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  "world-page-phone.png": { viewport: { width: 390, height: 844 }, colorScheme: "light", deviceScaleFactor: 2 },
};

for (const [name, context] of Object.entries(pictures)) {
  await withPage({ context }, async ({ page, said }) => {
    const move = async (key: string, words: RegExp): Promise<void> => {
      await page.keyboard.press(key);
      await said(words);
    };
    const lock = async (name: string): Promise<void> => {
      await page.fill("#lock-name", name);
      await page.keyboard.press("Enter");
      await said(new RegExp(`Locked this place as ${name}`));
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    };
    await move("w", /place 1/);
    await move("w", /place 2/);
    await lock("Crossing");
    await move("l", /place 3/);
    await move("w", /place 4/);
    await lock("Orange door");
    await page.getByRole("button", { name: "Return to Crossing" }).click();
    await said(/Returned/);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.evaluate(() => scrollTo(0, 0));
    await move("w", /place 3/);
    await move("j", /place 4/);
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => document.querySelector("video")!.readyState === 2);
    await page.screenshot({ path: fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)) });
  });
}
await closeAll();
process.exit(0);
