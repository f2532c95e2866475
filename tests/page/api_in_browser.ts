/**
 * Opens the page of the model server, as people do: chats, makes an image, compares sentences, copies the request.
 * `npm test -- page` runs this file on Node; `SVC_SCREENSHOTS` names a folder for pictures of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { promisify } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type ModelServer, startModelServer } from "../../lib/app/models/start_model_server.ts";
import { NO_VOICE, speechModelFiles } from "../support/speech_model_files.ts";
import { installVoice } from "../support/voice_store.ts";
import { installTinyModels, type TinyModel } from "../support/tiny_store.ts";
import { openBrowser } from "./browser.ts";
import { findLowContrast, findUnnamed } from "./page_checks.ts";

const KEY = "a key of this test";
const homes: string[] = [];
const servers: ModelServer[] = [];
const browser = openBrowser();

after(async () => {
  await (await browser).close();
  for (const server of servers) await server.close();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** Starts a server with models in a home of their own. */
async function serve(
  models: readonly TinyModel[],
  apiKey?: string,
  installMore: (home: string) => Promise<void> = async () => {},
): Promise<ModelServer> {
  const home = mkdtempSync(join(tmpdir(), "svc-test-"));
  homes.push(home);
  await installTinyModels(home, models);
  await installMore(home);
  process.env["SVC_HOME"] = home;
  process.env["SVC_MODELS_DIR"] = "";
  const server = await startModelServer({ port: 0, device: "cpu", apiKey, log: () => {} });
  servers.push(server);
  return server;
}

let started: Promise<ModelServer> | undefined;

/** The server of most tests. */
function whole(): Promise<ModelServer> {
  return started ??= serve(["tiny-chat", "tiny-embed", "tiny-image", "tiny-transcription"]);
}

interface Opened {
  readonly page: Page;
  /** What went wrong in it, and requests to other servers. */
  readonly problems: readonly string[];
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "blob:") problems.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SVC_SCREENSHOTS"];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

test("a chat streams into the page, folds its reasoning, and its copied lines answer the same", async () => {
  const { url } = await whole();
  const { page, problems } = await open(url);
  // The texts that the last message had, one after another.
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const log = document.querySelector("#chat-log")!;
    new MutationObserver(() => seen.push(log.querySelector(".assistant:last-child > p")?.textContent ?? ""))
      .observe(log, { subtree: true, childList: true, characterData: true });
  });
  await say(page, "Tell me a story");
  const last = page.locator("article.assistant").last();
  await last.getByText(/first after/).waitFor();
  const seen = await page.evaluate(() => [...new Set((globalThis as unknown as { seen: string[] }).seen)]);
  assert.ok(seen.length > 5, `${seen.length} states of the text`);
  assert.ok(seen.slice(1).every((text, i) => text.startsWith(seen[i])));
  assert.match(seen.at(-1)!, /^Once upon a time.*begin from the start\.$/s);

  await say(page, "Think about it");
  await page.getByText("The answer is 42.").waitFor();
  const reasoning = page.getByText("Seven times six makes forty-two.");
  assert.ok(await reasoning.isHidden());
  await last.getByText("Reasoning", { exact: true }).click();
  assert.ok(await reasoning.isVisible());

  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied").waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(line, /^curl -sS -N 'http/);
  assert.match(line, /Tell me a story/);
  const { stdout } = await promisify(execFile)("sh", ["-c", line]);
  const chunks = stdout.split("\n").filter((frame) => frame.startsWith("data: {")).map((frame) =>
    JSON.parse(frame.slice(6))
  );
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), "The answer is 42.");

  await page.getByRole("button", { name: "openai", exact: true }).click();
  const folder = mkdtempSync(join(import.meta.dirname!, "../../node_modules/.cache/svc-test-"));
  homes.push(folder);
  writeFileSync(join(folder, "chat.mjs"), (await page.locator("#code-text").textContent())!);
  const printed = await promisify(execFile)(process.execPath, [join(folder, "chat.mjs")]);
  assert.equal(printed.stdout, "The answer is 42.");
  await screenshot(page, "api-page-desktop");
  assert.deepEqual([await findUnnamed(page), await findLowContrast(page)], [[], []]);
  assert.deepEqual(problems, []);
});

test("calls of tools are shown, and the results that are filled in go back to the model", async () => {
  const { page, problems } = await open((await whole()).url);
  await page.getByText("System prompt, sampling and tools").click();
  await page.getByRole("button", { name: "Insert an example tool" }).click();
  await say(page, "How is the weather?");
  const call = page.locator(".calls li");
  assert.equal(await call.locator("strong").textContent(), "get_weather");
  assert.deepEqual(JSON.parse((await call.locator("pre").textContent())!), { city: "Paris" });
  await page.getByLabel("Result of get_weather").fill("sunny");
  await page.getByRole("button", { name: "Send the results" }).click();
  await page.getByText("The tool says that it is sunny").waitFor();
  await page.getByLabel("Tools (a JSON array)").fill("[");
  await say(page, "Again");
  await page.getByRole("alert").filter({ hasText: "Cannot read the tools" }).waitFor();
  assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "Again");
  assert.equal(await page.locator("article.user").count(), 1);
  assert.deepEqual(problems, []);
});

test("an endless answer is stopped, what came stays; a new chat is empty", async () => {
  const { page, problems } = await open((await whole()).url);
  // At its first words: tiny models come to the end of their context soon.
  await page.evaluate(() => {
    const log = document.querySelector("#chat-log")!;
    new MutationObserver((_, observer) => {
      if (!log.textContent!.includes("tick tock")) return;
      observer.disconnect();
      document.querySelector<HTMLElement>("#chat-stop")!.click();
    }).observe(log, { subtree: true, childList: true, characterData: true });
  });
  await say(page, "Talk forever");
  await page.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
  assert.match((await page.locator("article.assistant > p").first().textContent())!, /tick tock/);
  await say(page, "emoji");
  await page.getByText("東京タワー").waitFor();
  await page.getByRole("button", { name: "New chat" }).click();
  assert.equal(await page.locator("article").count(), 0);
  assert.deepEqual(problems, []);
});

test("an unreachable server is reported until it is back", async () => {
  const { page } = await open((await whole()).url);
  const change = page.getByRole("button", { name: /oad tiny-chat/ });
  await change.waitFor();
  await page.route("**/*", (route) => route.abort());
  await change.click();
  await page.getByRole("alert").filter({ hasText: "Cannot reach the server" }).waitFor();
  await page.unroute("**/*");
  await change.click();
  await page.waitForFunction(() => document.querySelector("#error")!.textContent === "");
});

test("an image is made with previews, sentences are compared, and models load and unload", async () => {
  const { page, problems } = await open((await whole()).url);
  await page.getByRole("tab", { name: "Chat" }).press("ArrowRight");
  const images = page.getByRole("tabpanel", { name: "Images" });
  await images.getByLabel("Model").selectOption("tiny-image");
  await images.getByLabel("Prompt").fill("a red door");
  await images.getByLabel("Size").fill("64x64");
  await page.getByRole("button", { name: "Make the image" }).click();
  await images.getByText(/seed \d+/).waitFor();
  assert.equal(await page.getByAltText("a red door").evaluate((image) => (image as HTMLImageElement).naturalWidth), 64);
  assert.match((await page.locator("#code-text").textContent())!, /images\/generations/);

  await page.getByRole("tab", { name: "Images" }).press("ArrowRight");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText(/dimensions/).waitFor();
  const cells = (await page.locator("#embedding-table td").allTextContents()).slice(1).map(Number);
  assert.equal(cells.length, 9);
  assert.deepEqual([cells[0], cells[4], cells[8]], [1, 1, 1]);
  assert.equal(cells[1], cells[3]);
  await page.getByRole("button", { name: "@svc/sdk" }).click();
  assert.match((await page.locator("#code-text").textContent())!, /models\.embed\(\{\n {2}model: "tiny-embed"/);

  const row = page.getByRole("listitem").filter({ hasText: "tiny-chat" });
  await row.getByRole("button", { name: "Load tiny-chat", exact: true }).or(row.getByText("loaded", { exact: true }))
    .first()
    .waitFor();
  if (await row.getByText("not loaded").isVisible()) await row.getByRole("button").click();
  await row.getByText("loaded", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Unload tiny-chat" }).click();
  await row.getByText("not loaded").waitFor();
  assert.deepEqual(problems, []);
});

test("what is said is recorded as a WAV file and comes back as text", async () => {
  const { page, problems } = await open((await whole()).url);
  // A tone in place of a microphone, which a browser without a screen does not have.
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => {
      const context = new AudioContext();
      const tone = new OscillatorNode(context, { frequency: 440 });
      const target = context.createMediaStreamDestination();
      tone.connect(target);
      tone.start();
      return Promise.resolve(target.stream);
    };
  });
  const sent = page.waitForResponse(/transcriptions$/);
  await page.getByRole("button", { name: "Dictate" }).click();
  await page.getByText("Recording", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Stop recording" }).click();
  const response = await sent;
  assert.equal(response.status(), 200, await response.text());
  const { text } = await response.json();
  await page.waitForFunction(
    (text) => document.querySelector<HTMLTextAreaElement>("#chat-text")!.value === text,
    text.trim(),
  );
  assert.match((await page.locator("#code-text").textContent())!, /-F 'file=@speech\.wav'/);
  assert.deepEqual(problems, []);
});

const voice = await speechModelFiles();

test("an answer is read aloud by the voice of the server", { skip: voice ? false : NO_VOICE }, async () => {
  const { url } = await serve(["tiny-chat"], undefined, (home) => installVoice(home, voice!));
  const { page, problems } = await open(url);
  await say(page, "Hello");
  const spoken = page.waitForResponse(/speech$/);
  await page.getByRole("button", { name: "Read aloud" }).click();
  assert.equal((await spoken).status(), 200);
  await page.getByRole("button", { name: "Stop reading" }).click();
  await page.getByRole("button", { name: "Read aloud" }).waitFor();
  assert.match((await page.locator("#code-text").textContent())!, /-o speech\.wav$/);
  assert.deepEqual(problems, []);
});

test("the page asks for the key, keeps it for the tab and out of the code; without models it says what to type", async () => {
  const server = await serve([], KEY);
  const { page, problems } = await open(server.url);
  await page.getByLabel("Key", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").filter({ hasText: "its bearer token is wrong" }).waitFor();
  await page.getByLabel("Key", { exact: true }).fill(KEY);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("svc model pull --packaged").waitFor();
  assert.equal(await page.getByText("npm run models").count(), 1);
  await page.reload();
  await page.getByText("svc model pull --packaged").waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  // The browser itself reports answers of 401.
  assert.deepEqual(problems.filter((problem) => !problem.includes("401")), []);
  await page.getByRole("tab", { name: "Images" }).click();
  const images = page.getByRole("tabpanel", { name: "Images" });
  await images.getByLabel("Prompt").fill("a door");
  await images.getByLabel("Size").fill("15x15");
  await page.getByRole("button", { name: "Make the image" }).click();
  await page.getByRole("alert").filter({ hasText: "size" }).waitFor();
  const code = (await page.locator("#code-text").textContent())!;
  assert.match(code, /Bearer \$SVC_API_KEY/);
  assert.ok(!code.includes(KEY));
});

test("on a phone, in the dark, the page has the width of the screen and can be read", async () => {
  const options = {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
    isMobile: true,
    hasTouch: true,
  } as const;
  const { page, problems } = await open((await whole()).url, options);
  await say(page, "Hello");
  await page.getByText("I say what my script says").waitFor();
  await page.getByText(/first after/).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await screenshot(page, "api-page-phone");
  assert.deepEqual([await findUnnamed(page), await findLowContrast(page)], [[], []]);
  assert.deepEqual(problems, []);
});

test("the API reference has every route, its fields, and finds words in them", async () => {
  const { url } = await whole();
  const { page, problems } = await open(url);
  await page.getByRole("link", { name: "API reference" }).click();
  await page.getByText("/v1/chat/completions", { exact: false }).first().waitFor();
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const shown = (await page.locator("#routes summary code:has(b)").allTextContents()).map((text) => text.split(" ")[1]);
  assert.deepEqual([...new Set(shown)].sort(), Object.keys(paths).sort());
  await page.getByLabel("Find a route or a field").fill("dimensions vectors");
  const embeddings = page.locator("details#embeddings");
  await embeddings.locator("summary").click();
  await embeddings.getByRole("link", { name: "EmbeddingRequest" }).click();
  assert.equal(new URL(page.url()).hash, "#schema-EmbeddingRequest");
  await page.getByLabel("Find a route or a field").fill("");
  assert.ok(await page.locator("#schema-EmbeddingRequest").getByText("required").first().isVisible());
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await screenshot(page, "api-page-docs");
  assert.deepEqual([await findUnnamed(page), await findLowContrast(page)], [[], []]);
  assert.deepEqual(problems, []);
});
