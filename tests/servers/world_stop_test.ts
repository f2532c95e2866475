import assert from "node:assert/strict";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { end, ROOT, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Runs work with the embedded world and a vocabulary of two million words, which is read for seconds. */
async function withSlowModel(work: (model: string, state: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const model = join(folder, "model");
    cpSync(join(ROOT, "models", "corridor-nano"), model, { recursive: true });
    const words = Array.from({ length: 2_000_000 }, (_, i) => `"word ${i}":${i}`);
    writeFileSync(join(model, "base", "tokenizer.json"), `{"model":{"vocab":{${words.join()}}}}`);
    await work(model, join(folder, "state"));
  });
}

// @row world-session > Rules of every route > Signals and exit codes
test("a client that waits for the model is notified when the server stops, and the server ends", () =>
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
    let answered = false;
    void waiting.then(() => answered = true);
    while ((await (await fetch(`${url}/health`)).json()).phase !== "preparing") assert.ok(!answered);
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
  }));

// @row world-session > Options > `--prepare`
// @row world-session > Rules of every route > Signals and exit codes
test("a server that loads its model before listening ends when it is asked to", () =>
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
  }));

function lockedBy(state: string): boolean {
  try {
    return readdirSync(join(state, "server.lock")).length > 0;
  } catch {
    return false;
  }
}
