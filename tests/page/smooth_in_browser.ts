/**
 * The smooth picture in a browser with WebGL, which it draws by software. `npm test -- page` runs this file on Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { closeAll, withPage } from "./opened_page.ts";
import { playedOut } from "./video_checks.ts";

after(closeAll);

const window = { viewport: { width: 1720, height: 1000 } };

/** How much neighbouring pixels of the picture on the screen differ: none within blocks, the more the sharper edges are. */
async function roughness(page: Page): Promise<{ readonly equal: number; readonly steep: number }> {
  const { x, y, width, height } = (await page.locator("#stage").boundingBox())!;
  const clip = { x: x + width * 0.2, y: y + height * 0.2, width: width * 0.6, height: height * 0.6 };
  const { data, info } = await sharp(await page.screenshot({ clip })).greyscale().raw().toBuffer({
    resolveWithObject: true,
  });
  let [equal, steep] = [0, 0];
  for (let i = 1; i < info.width * info.height; i++) {
    const step = Math.abs(data[i] - data[i - 1]);
    if (step === 0) equal++;
    steep += step * step;
  }
  return { equal: equal / (info.width * info.height), steep };
}

test("the page enlarges the picture smoothly and sharper than the browser, and shows blocks only when switched off", () =>
  withPage({ webgl: true, shipped: true, context: window }, async ({ page, said, refused }) => {
    await page.locator("#smooth:not([hidden])").waitFor(); // the still picture before the walk
    await page.keyboard.press("w");
    await said(/now at state 1/);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>("#still")!.hidden);
    await playedOut(page);
    const canvas = page.locator("#smooth");
    assert.equal(await page.getByRole("img", { name: "Camera view" }).count(), 1, "the video and the canvas are one");
    const room = await page.locator("#room").boundingBox();
    const box = await canvas.boundingBox();
    assert.ok(box!.width > 0.98 * room!.width || box!.height > 0.98 * room!.height, "it takes the room that there is");
    const smooth = await roughness(page);

    await canvas.evaluate((canvas: HTMLCanvasElement) => {
      const lose = canvas.getContext("webgl")!.getExtension("WEBGL_lose_context")!;
      Object.assign(globalThis, { lose });
      lose.loseContext();
    });
    await page.locator("#smooth[hidden]").waitFor({ state: "attached" });
    assert.equal(await page.locator("#video").getAttribute("aria-hidden"), null);
    const bilinear = await roughness(page);
    assert.ok(smooth.steep > 1.1 * bilinear.steep, `${smooth.steep} against ${bilinear.steep} of the browser`);
    await page.evaluate(() => (globalThis as unknown as { lose: WEBGL_lose_context }).lose.restoreContext());
    await canvas.waitFor();

    await page.click("#smooth-on");
    assert.equal(await page.locator("#smooth-on").getAttribute("aria-pressed"), "false");
    await page.locator("#smooth[hidden]").waitFor({ state: "attached" });
    const blocks = await roughness(page);
    assert.ok(blocks.equal > 0.7 && blocks.equal > smooth.equal + 0.1, `${blocks.equal}, smooth ${smooth.equal}`);
    await page.reload();
    await page.locator("#still:not([hidden])").waitFor();
    assert.equal(await page.locator("#smooth-on").getAttribute("aria-pressed"), "false", "it is remembered");
    assert.ok(await canvas.isHidden());
    assert.deepEqual(refused, []);
  }));
