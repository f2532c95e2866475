/**
 * What the page looks like in a real browser: whether it fits, can be read and names its controls. `npm test -- page` runs
 * this file on Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeAll, withPage } from "./opened_page.ts";
import { findLowContrast, findOverlaps, findUnnamed } from "./page_checks.ts";

after(closeAll);

for (
  const [backend, width, colorScheme] of [
    ["arworld", 320, "dark"],
    ["arworld", 360, "light"],
    ["arworld", 1280, "dark"],
    ["arworld", 960, "light"],
    ["actionworld", 360, "dark"],
    ["actionworld", 1280, "light"],
  ] as const
) {
  test(`the page of an ${backend} fits ${width} pixels, names its controls and can be read in ${colorScheme}`, () =>
    withPage({ backend, context: { colorScheme, viewport: { width, height: 760 } } }, async ({ page, said }) => {
      await page.keyboard.press("w");
      await said(/now at state 1/);
      if (backend === "arworld") {
        await page.click("#saved-form button");
        await said(/Saved/);
      }
      for (const summary of await page.locator("summary").all()) await summary.click();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.deepEqual(await findOverlaps(page, ".world", ".panels > section"), []);
      assert.equal(await page.locator("html").getAttribute("lang"), "en");
      assert.ok(await page.title());
      assert.deepEqual(await page.locator("h1").count(), 1);
      for (const landmark of ["banner", "main"] as const) assert.equal(await page.getByRole(landmark).count(), 1);
      assert.deepEqual(await findUnnamed(page), []);
      assert.deepEqual(await findLowContrast(page), []);
      for (const button of await page.locator("button:visible").all()) {
        const box = (await button.boundingBox())!;
        assert.ok(box.width >= 44 && box.height >= 44, `${await button.textContent()} is ${box.width}x${box.height}`);
        const over = await button.evaluate((element) => element.scrollWidth - element.clientWidth);
        assert.ok(over <= 0, `${await button.textContent()} is ${over} pixels wider than its button`);
      }
    }));
}
