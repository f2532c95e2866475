/**
 * Opens pages of vision results from the disk, as a person does, without a network. `npm test -- page` runs this file on
 * Node; `SVC_VISION_RESULTS`, folders with a colon between them, has it take screenshots of them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { type ViewerContent, viewerPage } from "../../cli/vision/viewer_page.ts";
import { decodeImage } from "../../lib/media/images/decode_image.ts";
import { encodePng } from "../../lib/media/images/png.ts";
import { encodePly } from "../../lib/media/scenes/obj_and_ply.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { openBrowser } from "./browser.ts";
import { findLowContrast, findUnnamed } from "./page_checks.ts";

const pyramid = {
  positions: Float32Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 1.5, 0),
  colours: Uint8Array.of(255, 60, 0, 0, 200, 80, 0, 90, 255, 240, 200, 0, 255, 255, 255),
};
const triangles = Uint32Array.of(0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 0, 1, 2, 0, 2, 3);
const content: ViewerContent = {
  title: `A <pyramid> & "more"`,
  summary: "6 triangles",
  kind: "mesh",
  ply: encodePly({ ...pyramid, triangles }),
  pictures: [{ path: "depth.png", caption: "Depth", video: false }],
  files: ["depth.png"],
  facts: [["units", "</script><b>none</b>"]],
};

/** Share of the stage that is not of its background, in a hundred. */
async function drawn(page: Page): Promise<number> {
  const { width, height, data } = await decodeImage(await page.locator("canvas").screenshot());
  const ground = data.subarray(3 * (10 * width + 10), 3 * (10 * width + 10) + 3);
  let other = 0;
  for (let i = 0; i < data.length; i += 3) {
    const difference = [0, 1, 2].reduce((sum, c) => sum + Math.abs(data[i + c] - ground[c]), 0);
    if (difference > 24) other++;
  }
  return 100 * other / (width * height);
}

async function openPage(browser: Browser, folder: string, { mayWarn = false } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 1100 }, offline: true });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
  await page.waitForLoadState("load");
  if (!mayWarn) assert.deepEqual(problems, []);
  return page;
}

const browser = openBrowser({ webgl: true });
after(async () => await (await browser).close());

test("the page of a mesh is drawn, turned by keys, and can be read", () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "index.html"), await viewerPage(content));
    writeFileSync(
      join(folder, "depth.png"),
      await encodePng({ width: 2, height: 2, data: new Uint8Array(12).fill(90) }),
    );
    const page = await openPage(await browser, folder);
    assert.equal(await page.title(), content.title);
    assert.equal(await page.locator("dd").textContent(), "</script><b>none</b>");
    const share = await drawn(page);
    assert.ok(share > 4 && share < 70, `the pyramid covers ${share} % of the stage`);
    const before = await page.screenshot();
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("+");
    assert.notDeepEqual(await page.screenshot(), before);
    await page.getByRole("button", { name: "Reset view" }).click();
    await page.getByLabel("Triangles").check();
    await page.getByLabel("Light background").check();
    assert.ok(await page.locator("img").evaluate((img) => (img as HTMLImageElement).naturalWidth === 2));
    assert.equal(await page.getByRole("link", { name: "depth.png" }).getAttribute("href"), "depth.png");
    assert.deepEqual([await findUnnamed(page), await findLowContrast(page)], [[], []]);
    await page.setViewportSize({ width: 360, height: 760 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));

test("the page of points has a size for them, that of a video nothing to turn", () =>
  withFolder(async (folder) => {
    writeFileSync(
      join(folder, "index.html"),
      await viewerPage({ ...content, kind: "points", ply: encodePly(pyramid), pictures: [] }),
    );
    const page = await openPage(await browser, folder);
    await page.getByLabel("Point size").fill("8");
    assert.ok(await page.getByLabel("Triangles").isHidden());
    assert.ok(await drawn(page) > 0.01);
    writeFileSync(
      join(folder, "index.html"),
      await viewerPage({ ...content, kind: "none", ply: undefined, pictures: [] }),
    );
    assert.ok(await (await openPage(await browser, folder)).locator("#scene").isHidden());
  }));

test("the page says so where a browser has no WebGL", () =>
  withFolder(async (folder) => {
    const page = await viewerPage({ ...content, pictures: [] });
    const without = "<script>HTMLCanvasElement.prototype.getContext = () => null;</script>";
    writeFileSync(join(folder, "index.html"), page.replace("<header>", `${without}<header>`));
    const opened = await openPage(await browser, folder, { mayWarn: true });
    await opened.getByText("cannot draw in three dimensions").waitFor();
  }));

for (const folder of process.env["SVC_VISION_RESULTS"]?.split(":") ?? []) {
  test(`the page in ${folder} opens`, async () => {
    const page = await openPage(await browser, folder);
    await page.screenshot({ path: join(folder, "screenshot.png"), fullPage: true });
  });
}
