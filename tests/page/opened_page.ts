import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import type { BackendName } from "../../lib/world/protocol/wire.ts";
import { startWorldServer, type WorldServer, type WorldServerOptions } from "../../lib/app/world/start_world_server.ts";
import { smallCorridor } from "../support/small_corridor.ts";
import { openBrowser } from "./browser.ts";

/** The browsers, by whether they draw by WebGL, and for each world a server whose model stays loaded, are opened once for all tests. */
const browsers = new Map<boolean, Promise<Browser>>();
const warmServers = new Map<string, Promise<WorldServer>>();
const folders: string[] = [];

/** Closes what all tests have shared. */
export async function closeAll(): Promise<void> {
  // One that could not be opened has failed its tests already, and the others have to be closed all the same.
  for (const opened of await Promise.allSettled([...browsers.values(), ...warmServers.values()])) {
    if (opened.status === "fulfilled") await opened.value.close();
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Starts a server on an embedded world; an arworld makes small frames unless `model` is given. */
export function startServer(options: WorldServerOptions = {}): Promise<WorldServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  folders.push(folder);
  const small = options.backend === "actionworld" ? {} : { model: smallCorridor() };
  return startWorldServer({ port: 0, device: "cpu", stateDirectory: folder, log: () => {}, ...small, ...options });
}

/** URL pattern of the move requests of the page. */
export const MOVES = "**/v1/world/session/transitions";

/** A handler for {@link MOVES} that overrides the length or frame size of moves. */
export function lengthened(
  size: { readonly num_frames: number; readonly width?: number; readonly height?: number },
): (route: Route) => Promise<void> {
  return (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), ...size }) });
}

/** Longest wait for anything in a page, in milliseconds; SVC_PAGE_TIMEOUT names another one for a busy machine. */
const TIMEOUT = Number(process.env["SVC_PAGE_TIMEOUT"] ?? 15_000);

/** A page that is open, and what it has done. */
export interface OpenedPage {
  readonly page: Page;
  readonly server: WorldServer;
  /** Answers that are not success, such as `409 /v1/world/session/transitions`. */
  readonly refused: string[];
  /** Begins a world with the picture of the model, without a move, and loads the model; the page is notified later. */
  upload(): Promise<void>;
  /** The same, and waits until the page shows it. */
  begin(): Promise<void>;
  /** Waits until the page says something in one of its live regions. */
  said(pattern: RegExp, timeout?: number): Promise<void>;
  /** The current state of the session. */
  stateId(): Promise<string | undefined>;
}

/** Settings of {@link withPage}. */
export interface PageOptions {
  /** An arworld when omitted. */
  readonly backend?: BackendName;
  readonly apiKey?: string;
  /** Shows the world as it ships, not small frames of it. */
  readonly shipped?: boolean;
  /** Takes a server that no other test sees. */
  readonly ownServer?: boolean;
  /** In a browser that has WebGL, by software. */
  readonly webgl?: boolean;
  readonly context?: BrowserContextOptions;
  /** Runs in the page before its own script. */
  readonly before?: () => void;
  /**
   * Handlers of requests, by URL pattern. They are installed before the page opens: Chromium can miss a request that
   * follows immediately on the start of interception.
   */
  readonly routes?: Readonly<Record<string, (route: Route) => Promise<void>>>;
}

/**
 * Opens the page of a real server on an embedded world. Afterwards nothing may have been thrown or logged in it, and
 * every request must have gone to that server.
 */
export async function withPage(options: PageOptions, test: (opened: OpenedPage) => Promise<void>): Promise<void> {
  const { apiKey, backend = "arworld", shipped = false } = options;
  const isOwn = options.ownServer || apiKey !== undefined;
  const server = await (isOwn ? startServer({ apiKey, backend }) : warmServer(backend, shipped));
  const session = `${server.url}/v1/world/session`;
  if (!isOwn) await fetch(`${session}/reset`, { method: "POST" });
  const upload = async (): Promise<void> => {
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const body = await (await fetch(`${server.url}/v1/world/start/image`, { headers })).arrayBuffer();
    const type = { "content-type": "image/png" };
    await (await fetch(`${session}/source`, { method: "POST", headers: { ...headers, ...type }, body })).json();
    await (await fetch(`${session}/prepare`, { method: "POST", headers })).json();
  };
  const context = await (await browserFor(options.webgl ?? false)).newContext(options.context);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    const { faults, refused } = watch(page, server.url);
    if (options.before) await page.addInitScript(options.before);
    for (const [pattern, handle] of Object.entries(options.routes ?? {})) await page.route(pattern, handle);
    await page.goto(server.url);
    if (apiKey === undefined) await connected(page);
    await test({
      page,
      server,
      refused,
      upload,
      begin: async () => {
        await upload();
        await page.locator("#graph .here").waitFor();
      },
      said: async (pattern, timeout = TIMEOUT) =>
        await page.locator("#message, #error").filter({ hasText: pattern }).waitFor({ timeout }),
      stateId: async () => (await (await fetch(session)).json()).current_state_id,
    });
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
    if (isOwn) await server.close();
  }
}

function browserFor(webgl: boolean): Promise<Browser> {
  const browser = browsers.get(webgl) ?? openBrowser({ webgl });
  browsers.set(webgl, browser);
  return browser;
}

function warmServer(backend: BackendName, shipped: boolean): Promise<WorldServer> {
  const key = `${backend} ${shipped}`;
  const server = warmServers.get(key) ?? startServer({ backend, ...(shipped && { model: undefined }) });
  warmServers.set(key, server);
  return server;
}

/** Without a GPU, Chromium logs that its canvas is read back; that is true of every page. */
export function isAboutDriver(message: string): boolean {
  return /GL Driver Message .*GPU stall due to ReadPixels/.test(message);
}

/** Notes what must not happen in a page, and which requests were refused. */
function watch(page: Page, origin: string): { readonly faults: string[]; readonly refused: string[] } {
  const faults: string[] = [];
  const refused: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    // Browsers log each answer that is not a success; those are in `refused`.
    if (!message.text().startsWith("Failed to load resource") && !isAboutDriver(message.text())) {
      faults.push(message.text());
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith("blob:") && new URL(request.url()).origin !== origin) faults.push(request.url());
  });
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return { faults, refused };
}

/** Waits until the page follows the session. */
export async function connected(page: Page): Promise<void> {
  await page.locator("#connection", { hasText: /^Connected/ }).waitFor();
}
