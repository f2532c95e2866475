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
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildSite } from "../../scripts/site/build_site.mjs";
import { brokenGpu } from "../support/broken_gpu.ts";
import { openBrowser } from "./browser.ts";
import { connected, isAboutDriver } from "./opened_page.ts";
import { axeFindings, brokenLinks } from "./site_checks.ts";
import { serveFolder } from "./static_server.ts";
import { readVideo } from "./video_checks.ts";

/** Loading the model takes a few seconds on a quiet machine. */
const TIMEOUT = 60_000;

const folder = mkdtempSync(join(tmpdir(), "svc-site-"));
let browser: Browser;

before(async () => {
  await buildSite(pathToFileURL(`${folder}/`)); // first: a build that fails must not leave a browser behind
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Bytes of the files that were loaded, by their paths. */
  readonly sent: ReadonlyMap<string, number>;
  /** Waits until the walk says something. */
  said(pattern: RegExp): Promise<void>;
}

interface VisitOptions {
  /** With the headers that allow threads. */
  readonly isolated?: boolean;
  /** Text to put before files, by their paths. */
  readonly before?: Readonly<Record<string, string>>;
  readonly context?: BrowserContextOptions;
}

/** Opens the site. Afterwards nothing may have failed, and nothing may have been asked of any other server. */
async function visit(options: VisitOptions, path: string, test: (visit: Visit) => Promise<void>) {
  const server = await serveFolder(folder, options);
  const context = await browser.newContext(options.context);
  const faults: string[] = [];
  context.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) faults.push(request.url());
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => void (isAboutDriver(message.text()) || faults.push(message.text())));
    await page.goto(server.url + path);
    const said = (pattern: RegExp) => page.locator("#message, #error").filter({ hasText: pattern }).waitFor();
    await test({ page, url: server.url, sent: server.sent, said });
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
    await page.locator("#readouts", { hasText: /cpu \(1 thread\), without WebGPU: no adapter was found, f32/ })
      .waitFor();

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
    await said(/Cannot start from “none.png”: it is not a picture/);
    await choose("sky.png", await drawPicture(page));
    await page.locator("#confirm-text", { hasText: "corridor-nano was made for corridors and courtyards only" })
      .waitFor();
    await page.click("#confirm-yes");
    await said(/Started a new world from “sky.png”/);
    await page.click("[data-move=forward]");
    await said(/Walked forward, now at state 1/);
    const download = page.waitForEvent("download");
    await page.click("#save-walk");
    assert.ok(statSync(await (await download).path()).size > 1000);
  }));

test("another kind of place is loaded in the tab when it is walked into", () =>
  visit({}, "walk/", async ({ page, sent, said }) => {
    await connected(page);
    const ofCourtyards = () => [...sent.keys()].filter((path) => path.includes("/courtyard/"));
    assert.deepEqual(ofCourtyards(), []);
    await page.getByRole("button", { name: /^Walk into a sandstone courtyard/ }).click();
    await said(/Walked forward, now at state 1/);
    assert.equal(ofCourtyards().length, 6, ofCourtyards().join(" "));
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3);
    const walked = await readVideo(page);
    assert.ok(walked.brightness > 20 && !walked.covered, JSON.stringify(walked));
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

test("the first page grows into the world and walks at once, with threads where the headers of its host allow it", () =>
  visit({ isolated: true }, "", async ({ page, sent }) => {
    const before = (await page.locator("#world img").boundingBox())!;
    const said = Number(/Loads (\d+) MB, once/.exec(await page.locator("#world").innerText())?.[1]);
    await page.click("#enter");
    const walk = page.frameLocator("#world iframe");
    await walk.locator("#message", { hasText: /Walked forward, now at state 1/ }).waitFor();
    assert.equal(await walk.locator("#plan").isVisible(), false);
    const picture = (await walk.locator("#stage").boundingBox())!;
    assert.ok(picture.width > 1.2 * before.width, `${before.width} pixels became ${picture.width}`);
    const keys = await walk.locator(".controls button").evaluateAll((buttons) =>
      Math.max(...buttons.map((button) => button.getBoundingClientRect().bottom)) - innerHeight
    );
    assert.ok(keys <= 0, `the keys end ${keys} pixels below the frame`);
    await page.keyboard.press("w"); // the frame has the focus
    await walk.locator("#message", { hasText: /Walked forward, now at state 2/ }).waitFor();
    const loaded = [...sent].filter(([path]) => /^(walk|models)\/(?!h264)/.test(path));
    const megabytes = loaded.reduce((sum, [, bytes]) => sum + bytes, 0) / 1e6;
    assert.ok(Math.abs(megabytes - said) < 1, `it says ${said} MB and loads ${megabytes}`);
    assert.match(await walk.locator("#readouts").textContent() ?? "", /cpu \([234] threads\), .*f32/);
  }));

test("a world whose GPU is lost at once continues in WebAssembly, and says so", () => {
  // tsx has functions call `__name`, which does not exist in a browser.
  const gpu = `{ const __name = (f) => f;
    Object.defineProperty(navigator, "gpu", { value: (${brokenGpu})("lost at once") }); }`;
  return visit({ before: { "walk/model_worker.js": gpu } }, "walk/", async ({ page, said }) => {
    await connected(page);
    await page.keyboard.press("w");
    await said(/Walked forward, now at state 1/);
    const device = /cpu \(1 thread\), without WebGPU: the GPU fell out, f32/;
    await page.locator("#readouts", { hasText: device }).waitFor();
  });
});

test("all links of the site lead somewhere, and its pages name no other server", () => {
  assert.deepEqual(brokenLinks(folder), []);
});

test("pages of every kind keep the rules of accessibility, light and dark, and fit a phone", () =>
  visit({}, "", async ({ page, url }) => {
    for (const path of ["", "guides/world-session.html", "api/media.html", "manifest/", "models/corridor-nano.html"]) {
      await page.emulateMedia({ colorScheme: path === "" || path === "manifest/" ? "dark" : "light" });
      await page.setViewportSize({ width: path.startsWith("guides") ? 360 : 1280, height: 800 });
      await page.goto(url + path);
      assert.deepEqual(await axeFindings(page), [], path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide`);
    }
  }));

test("the site can be read without scripts", () =>
  visit({ context: { javaScriptEnabled: false } }, "api/manifest.html", async ({ page, url }) => {
    assert.match(await page.locator("main").innerText(), /function validateManifestText\(source: JsonSource/);
    assert.equal(await page.locator("#search").isVisible(), false);
    await page.goto(`${url}manifest/`);
    assert.match(await page.locator("main").innerText(), /svc manifest validate FILE --lint/);
    await page.goto(url);
    assert.equal(await page.locator("#enter").getAttribute("href"), "walk/");
  }));

test("the search finds names, headings and texts, by keyboard alone", () =>
  visit({}, "guides/site.html", async ({ page, url }) => {
    await page.keyboard.press("/");
    await page.keyboard.type("validateManifestText");
    await page.locator("#results a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}api/manifest.html#validateManifestText`);
    await page.fill("#query", "xyzzy");
    await page.locator("#results", { hasText: "Nothing has" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#results").isVisible(), false);
  }));

test("a guide has its code in colours with buttons that copy it, all its headings beside it, and no comments", () =>
  visit({}, "guides/world-session.html", async ({ page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    assert.ok(await page.locator("pre.source .hljs-string").count() > 20);
    await page.locator(".code .copy").first().click();
    await page.locator(".copy", { hasText: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "svc world serve --prepare");
    const headings = await page.locator("main :is(h2, h3)").evaluateAll((all) => all.map(({ id }) => `#${id}`));
    const listed = await page.locator(".contents a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.deepEqual(listed, headings);
    assert.doesNotMatch(await page.locator("main").innerText(), /<!--/);
  }));

test("lists of pages have no empty cards, and the search finds words in any form where they are explained", () =>
  visit({}, "guides/", async ({ page }) => {
    const cards = await page.locator(".cards li").evaluateAll((all) => all.map((one) => one.textContent ?? ""));
    const names = await page.locator(".cards li a").allTextContents();
    assert.ok(names.includes("A first walk") && !names.includes("The first five minutes"));
    for (const [i, text] of cards.entries()) assert.ok(text.length > names[i].length + 20, `${names[i]} has no text`);
    await page.fill("#query", "streaming tools");
    await page.locator(`#results a[href$="guides/model-api.html#chats"]`).waitFor();
  }));

test("the manifest editor shows findings with line and column as one types, and suggests what fits", () =>
  visit({}, "manifest/", async ({ page }) => {
    const text = page.locator("#manifest");
    const found = (): Promise<string[]> => page.locator("#findings .place").allTextContents();
    assert.deepEqual(await found(), ["13:19", "23:11", "31:41", "33:17"]);
    await page.click("#findings li:nth-child(2) button");
    assert.equal(
      await text.evaluate((area: HTMLTextAreaElement) => getSelection()?.toString() ?? area.value),
      '"defualt"',
    );
    await page.keyboard.type('"def');
    await page.locator("#suggestions li", { hasText: "default" }).waitFor();
    await page.keyboard.press("Enter");
    assert.deepEqual(await found(), ["13:19", "31:41", "33:17"]);
    const write = async (from: string, to: string): Promise<void> =>
      await text.fill((await text.inputValue()).replace(from, to));
    await write('"Recording"', '"recording"');
    await write('"cpu", "gpu"', '"cpu"');
    await write('"supports_progress": true', '"supports_progress": true, "supports_previews": false');
    assert.equal(await page.locator("#verdict").textContent(), "It conforms.");
    await page.check("#lint");
    await text.fill('{"a": 1, "a": ');
    assert.equal((await found())[0], "1:15");
    await page.locator("#file").setInputFiles({ name: "m.json", mimeType: "text/json", buffer: Buffer.from("[]") });
    await page.locator("#verdict", { hasText: "1 finding." }).waitFor();
  }));

test("what a visit loads stays small", () => {
  const bytesOf = (part: string, pattern: RegExp): number =>
    readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((name) => pattern.test(name))
      .reduce((sum, name) => sum + statSync(join(folder, part, name)).size, 0);
  // The encoder of 1.7 MB is loaded only where the browser has none.
  assert.ok(bytesOf("walk", /^(?!h264).*\.(js|css|html)$/) < 1.5e6);
  assert.ok(bytesOf("walk/ort", /wasm$/) < 15e6);
  const sizeOf = (name: string): number => statSync(join(folder, name)).size;
  assert.ok(sizeOf("site.css") + sizeOf("site.js") < 20e3);
  assert.ok(sizeOf("index.html") + sizeOf("start.js") < 10e3);
  assert.ok(sizeOf("manifest/editor.js") < 80e3);
  // Loaded with the first search; a third of it where the host compresses.
  assert.ok(sizeOf("search.json") < 290e3);
});
