/**
 * Whether the video runs on without a gap while a key is held, which takes a machine that makes frames faster than they
 * are shown: `npm test -- page-times` runs this file when nothing else runs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeAll, withPage } from "./opened_page.ts";
import { playedOut, watchGaps } from "./video_checks.ts";

after(closeAll);

test("the page of an arworld repeats a key that is held, one move at a time, without a gap in the video", () =>
  withPage({}, async ({ page, said, refused }) => {
    const assertShown = await watchGaps(page);
    await page.keyboard.down("w");
    await said(/now at state 4/);
    await page.keyboard.up("w");
    await page.waitForFunction(() => !document.querySelector("#job")!.classList.contains("busy"));
    assert.ok(await page.locator("#graph .state").count() <= 7);
    assert.deepEqual(refused, []);
    assert.ok(await playedOut(page) > 2);
    // At 16 frames a second; a busy machine leaves some of them out.
    await assertShown(0.26);
  }));

test("the page of an actionworld repeats a key that is held without a gap in the video, and stops on Escape", () =>
  withPage({ backend: "actionworld" }, async ({ page, said, refused }) => {
    const assertShown = await watchGaps(page);
    await page.keyboard.down("w");
    await said(/now at state 3/);
    await page.keyboard.press("Escape");
    await page.keyboard.up("w");
    await page.waitForFunction(() => !document.querySelector("#job")!.classList.contains("busy"));
    assert.ok(await playedOut(page) > 2);
    await assertShown(0.26);
    assert.deepEqual(refused, []);
  }));
