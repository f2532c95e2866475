/**
 * The site in a real browser, from a plain file server: the world that runs in a tab. `npm test -- page` runs this
 * file on Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { buildSite } from "../../scripts/site/build_site.mjs";
import { openBrowser } from "./browser.ts";
import { connected } from "./opened_page.ts";
import { serveFolder } from "./static_server.ts";
import { readVideo } from "./video_checks.ts";

/** Loading the model takes a few seconds on a quiet machine. */
const TIMEOUT = 60_000;

const folder = mkdtempSync(join(tmpdir(), "svc-site-"));
let browser: Browser;

before(async () => {
  [browser] = await Promise.all([openBrowser(), buildSite(pathToFileURL(`${folder}/`))]);
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Waits until the walk says something. */
  said(pattern: RegExp): Promise<void>;
}

/** Opens the site. Afterwards nothing may have failed, and nothing may have been asked of any other server. */
async function visit(options: { readonly isolated?: boolean }, path: string, test: (visit: Visit) => Promise<void>) {
  const server = await serveFolder(folder, options);
  const context = await browser.newContext();
  const faults: string[] = [];
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) faults.push(request.url());
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => faults.push(message.text()));
    await page.goto(server.url + path);
    const said = (pattern: RegExp) => page.locator("#message, #error").filter({ hasText: pattern }).waitFor();
    await test({ page, url: server.url, said });
    assert.deepEqual([...faults, ...server.missing], []);
  } finally {
    await context.close();
    await server.close();
  }
}

test("a world in a tab is walked in, saved, returned to and walked back, with no server", () =>
  visit({}, "walk/", async ({ page, said }) => {
    await connected(page);
    assert.equal(await page.evaluate(() => crossOriginIsolated), false);
    assert.ok(await page.locator("#still").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await page.keyboard.press("w");
    await said(/Walked forward, now at state 1/);
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
    const walked = await readVideo(page);
    assert.ok(walked.brightness > 20 && !walked.covered, JSON.stringify(walked));
    await page.locator("#readouts", { hasText: /cpu \(1 thread\), f32/ }).waitFor();

    await page.fill("#saved-name", "By the door");
    await page.click("#saved-form button");
    await said(/Saved this place as By the door/);
    await page.locator("h1").click(); // the name has the focus otherwise, and its letters
    await page.keyboard.press("l");
    await said(/Turned right, now at state 2/);
    await page.getByRole("button", { name: "Return to By the door" }).click();
    await said(/Returned to By the door/);
    await page.keyboard.press("Backspace");
    await said(/Walked back/);
    await page.locator("dd", { hasText: "At the start" }).waitFor();

    const choose = (name: string, buffer: Buffer): Promise<void> =>
      page.locator("#file").setInputFiles({ name, mimeType: "image/png", buffer });
    await page.getByRole("button", { name: "Delete By the door" }).click();
    await page.click("#confirm-yes");
    await said(/Deleted the saved place/);
    await choose("none.png", Buffer.from("no picture at all"));
    await said(/Cannot decode image/);
    await choose("sky.png", await drawPicture(page));
    await said(/Started a new world from sky.png/);
    await page.click("[data-move=forward]");
    await said(/Walked forward, now at state 1/);
    const download = page.waitForEvent("download");
    await page.click("#save-walk");
    assert.ok(statSync(await (await download).path()).size > 1000);
  }));

test("a world in a tab uses threads where the headers of its host allow it", () =>
  visit({ isolated: true }, "walk/?device=wasm", async ({ page, said }) => {
    await connected(page);
    await page.click("#walk-in");
    await said(/Walked forward, now at state 1/);
    await page.locator("#readouts", { hasText: /cpu \([234] threads\), f32/ }).waitFor();
  }));

/** A PNG that the browser has drawn, of a size that no model has. */
async function drawPicture(page: Page): Promise<Buffer> {
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(300, 170);
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#3060c0";
    context.fillRect(0, 0, 300, 90);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  return Buffer.from(png);
}

test("what a visit of the walk loads stays small", () => {
  const bytesOf = (part: string, pattern: RegExp): number =>
    readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((name) => pattern.test(name))
      .reduce((sum, name) => sum + statSync(join(folder, part, name)).size, 0);
  // The encoder of 1.7 MB is loaded only where the browser has none.
  assert.ok(bytesOf("walk", /^(?!h264).*\.(js|css|html)$/) < 1.5e6);
  assert.ok(bytesOf("walk/ort", /wasm$/) < 15e6);
});
