import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { end, ROOT, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Runs work with the embedded world, one of whose files never ends, as on a network disk that is away. */
async function withSlowModel(work: (model: string, state: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const model = join(folder, "model");
    cpSync(join(ROOT, "models", "corridor-nano"), model, { recursive: true });
    const file = join(model, "base", "vae.safetensors");
    rmSync(file);
    assert.equal(spawnSync("mkfifo", [file]).status, 0);
    await work(model, join(folder, "state"));
  });
}

const onWindows = process.platform === "win32" && "Windows has no pipes with a path in a folder";

// @row world-session > Rules of every route > Signals and exit codes
test(
  "a client that waits for the model is told when the server stops, and the server ends",
  { skip: onWindows },
  () =>
    withSlowModel(async (model, state) => {
      const server = startServer([
        "--port=0",
        "--json",
        "--device=cpu",
        "--journal=off",
        `--model=${model}`,
        `--state-directory=${state}`,
      ]);
      const { url } = JSON.parse(await server.line);
      const waiting = fetch(`${url}/v1/world/session/prepare`, { method: "POST" });
      while ((await (await fetch(`${url}/health`)).json()).phase !== "preparing");
      end(server, "SIGTERM");
      const response = await waiting;
      assert.equal(response.status, 503);
      assert.equal(response.headers.get("retry-after"), "5");
      const { error } = await response.json();
      assert.deepEqual([error.code, error.message], [
        "server_stopping",
        "Cannot prepare the session: the server is being stopped, try again when it runs again",
      ]);
      assert.equal(await server.exit, 0);
      assert.deepEqual(readdirSync(state), []);
    }),
);

// @row world-session > Options > `--prepare`
// @row world-session > Rules of every route > Signals and exit codes
test(
  "a server that loads its model before listening ends when it is asked to",
  { skip: onWindows },
  () =>
    withSlowModel(async (model, state) => {
      const args = [
        "--port=0",
        "--json",
        "--device=cpu",
        "--prepare",
        "--journal=off",
        `--model=${model}`,
        `--state-directory=${state}`,
      ];
      const server = startServer(args);
      while (!lockedBy(state)) await new Promise((resolve) => setTimeout(resolve, 10));
      end(server, "SIGTERM");
      assert.equal(await server.exit, 0, server.stderr());
      assert.equal(server.stderr(), "");
      assert.deepEqual(readdirSync(state), []);
    }),
);

function lockedBy(state: string): boolean {
  try {
    return readdirSync(join(state, "server.lock")).length > 0;
  } catch {
    return false;
  }
}
