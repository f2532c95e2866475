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
  return await chromium.launch({
    executablePath: path,
    headless: true,
    args: ["--no-sandbox", ...webgl ? WEBGL : webgpu ? WEBGPU : ["--disable-gpu"]],
    env: { ...withoutAdapter(), ...env },
  });
}

/** The software adapter of kernel tests is another version's than that which a browser brings along, and breaks it. */
function withoutAdapter(): NodeJS.ProcessEnv {
  const { VK_ICD_FILENAMES: _, VK_DRIVER_FILES: __, LD_LIBRARY_PATH: ___, ...others } = process.env;
  return others;
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
