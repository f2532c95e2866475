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

const screens = [[820, 700, false], [1280, 720, false], [390, 844, true], [844, 390, true], [667, 375, true]] as const;
for (const [width, height, hasTouch] of screens) {
  test(`a window of ${width}x${height} shows the picture with all its keys`, () =>
    withPage(
      { shipped: true, context: { hasTouch, isMobile: hasTouch, viewport: { width, height } } },
      async (opened) => {
        const { page } = opened;
        await page.locator("#still:not([hidden])").waitFor();
        for (const button of await page.locator(".controls button:visible").all()) {
          const { x, y, width: wide, height: high } = (await button.boundingBox())!;
          const name = await button.textContent();
          assert.ok(x >= 0 && x + wide <= width && y + high <= height, `${name} ends at ${x + wide}, ${y + high}`);
        }
        const picture = (await page.locator("#stage").boundingBox())!;
        if (width < 600) assert.deepEqual([picture.x, picture.width], [0, width], "it takes the width of a phone");
        assert.deepEqual(await findOverlaps(page, "#room", ".pad"), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      },
    ));
}

for (const [width, height] of [[740, 360], [320, 568], [390, 844], [1280, 720]] as const) {
  test(`messages, readout and keys do not cover each other in a full screen of ${width}x${height}`, () =>
    withPage(
      { context: { hasTouch: width < 800, isMobile: width < 800, viewport: { width, height } } },
      async (opened) => {
        const { page, said } = opened;
        await page.click("#full");
        await page.locator("#world.full").waitFor();
        await page.click("#stats-on");
        await page.keyboard.press("w");
        await said(/now at state 1/);
        await page.locator("#stats", { hasText: /Made \d/ }).waitFor();
        const parts = ["#message", "#stats", "#tools", "#job", ".controls"];
        const boxes = await page.evaluate((parts) =>
          parts.map((part) => {
            const { left, right, top, bottom } = document.querySelector(part)!.getBoundingClientRect();
            return { part, left, right, top, bottom };
          }), parts);
        for (const [i, one] of boxes.entries()) {
          assert.ok(one.left >= 0 && one.right <= width && one.top >= 0 && one.bottom <= height, JSON.stringify(one));
          for (const other of boxes.slice(i + 1)) {
            const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top ||
              other.bottom <= one.top;
            assert.ok(apart, `${one.part} and ${other.part} cover each other`);
          }
        }
      },
    ));
}
