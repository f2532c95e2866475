import { existsSync } from "node:fs";
import process from "node:process";
import { type Browser, chromium } from "playwright-core";
import { packedChromium } from "../../scripts/packed_chromium.mjs";

/**
 * Starts the browser: the one that SVC_CHROMIUM names, an installed one, or the one of the development libraries.
 *
 * @param options.webgl Draws in three dimensions, by software.
 * @param options.webgpu Has an adapter that computes by software.
 */
export async function openBrowser({ webgl = false, webgpu = false } = {}): Promise<Browser> {
  const { path, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    headless: true,
    args: ["--no-sandbox", ...webgl ? WEBGL : webgpu ? WEBGPU : ["--disable-gpu"]],
    env: { ...process.env, ...env },
  });
  if (webgl) await webglReady(browser);
  return browser;
}

/** Milliseconds that the process which draws may take to start. */
const START = 30_000;

/** On a busy machine pages can be open before the process which draws is; until then they get no context from it. */
async function webglReady(browser: Browser): Promise<void> {
  const end = performance.now() + START;
  do {
    const page = await browser.newPage();
    const ready = await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
    await page.close();
    if (ready) return;
  } while (performance.now() < end);
  throw new Error(`Cannot test in three dimensions: the browser has no WebGL after ${START / 1000} s`);
}

const WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

function findChromium(): { readonly path: string; readonly env?: Readonly<Record<string, string>> } {
  const named = process.env["SVC_CHROMIUM"];
  if (named) return { path: named };
  const installed = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
  if (installed) return { path: installed };
  const packed = packedChromium();
  if (packed.ok) return packed;
  throw new Error(
    `Cannot test the page: there is no browser and ${packed.reason}, ${packed.remedy}; SVC_NO_BROWSER=1 leaves it out`,
  );
}
