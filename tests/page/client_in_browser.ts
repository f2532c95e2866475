/**
 * The entry point `./client` in a real browser, bundled as an application would. `npm test -- page` runs this file on
 * Node.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";
import { openBrowser } from "./browser.ts";

test("the client runs in a browser without a Node import", async () => {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [fileURLToPath(new URL("../../lib/world/client/mod.ts", import.meta.url))],
    bundle: true,
    platform: "browser", // a built-in module of Node is an error then
    format: "iife",
    globalName: "svc",
    write: false,
  });
  const stateDirectory = await mkdtemp(join(tmpdir(), "svc-client-"));
  const server = await startWorldServer({ port: 0, stateDirectory, device: "cpu", log: () => {} });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/health`);
    await page.addScriptTag({ content: text });
    const seen = await page.evaluate(`(async () => {
      const client = new svc.WorldClient(location.origin);
      const { phase, backend } = await client.session();
      const refused = await client.job("0").catch((error) => error.code);
      return { phase, backend, refused, motion: svc.cameraOfKeys("w").motion };
    })()`);
    assert.deepEqual(seen, { phase: "cold", backend: "arworld", refused: "invalid_job_id", motion: "forward" });
  } finally {
    await browser.close();
    await server.close();
    await rm(stateDirectory, { recursive: true, force: true });
  }
});
