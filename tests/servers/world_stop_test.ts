import assert from "node:assert/strict";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { forgeClipWorld, type ForgedClip } from "../support/forged_world.ts";
import { end, ROOT, type Running, startServer } from "../support/server_process.ts";
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

/** Starts a server of clips that has a world of somebody else, whose state takes minutes to make again. */
async function withForgedWorld(
  clip: ForgedClip,
  work: (server: Running, url: string, world: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const world = await forgeClipWorld(folder, clip);
    const args = ["--backend=actionworld", "--port=0", "--json", "--device=cpu", `--state-directory=${folder}`];
    const server = startServer(args);
    try {
      const { url } = JSON.parse(await server.line);
      await work(server, url, world);
    } finally {
      if (server.child.exitCode === null && server.child.signalCode === null) end(server, "SIGKILL");
      await server.exit;
    }
  });
}

/** Resolves when the model of a world makes something. */
async function atWork(url: string, world: string): Promise<void> {
  const phase = async (): Promise<string> => {
    return (await (await fetch(`${url}/worlds/${world}/v1/world/session`)).json()).phase;
  };
  while (await phase() !== "ready") await new Promise((resolve) => setTimeout(resolve, 20));
}

// @row world-session > Rules of every route > Signals and exit codes
test("a server that makes the state of an imported world again ends when it is asked to, without an abort", () =>
  withForgedWorld({ frames: 701, steps: 1000, seconds: 300 }, async (server, url, world) => {
    const waiting = fetch(`${url}/worlds/${world}/v1/world/session/prepare`, { method: "POST" });
    await atWork(url, world);
    end(server, "SIGTERM");
    assert.equal((await waiting).status, 503);
    assert.equal(await server.exit, 0, server.stderr());
    assert.doesNotMatch(server.stderr(), /terminate called/);
  }));

test("a second signal ends a server in the middle of a call of its model, without an abort", () =>
  withForgedWorld({ frames: 1005, steps: 1000, seconds: 300 }, async (server, url, world) => {
    const waiting = fetch(`${url}/worlds/${world}/v1/world/session/prepare`, { method: "POST" }).catch(() => {});
    await atWork(url, world);
    end(server, "SIGTERM");
    await waiting;
    end(server, "SIGTERM");
    await server.exit;
    const { signalCode, exitCode } = server.child;
    assert.ok(signalCode === "SIGTERM" || exitCode === 143, `${signalCode} ${exitCode} ${server.stderr()}`);
  }));

test("while the state of an imported world is made again, other worlds move, and disconnecting stops it", () =>
  withForgedWorld({ frames: 101, steps: 1000, seconds: 300 }, async (server, url, world) => {
    const at = `${url}/worlds/${world}/v1/world/session`;
    const leaving = new AbortController();
    const waiting = fetch(`${at}/prepare`, { method: "POST", signal: leaving.signal });
    await atWork(url, world);
    const session = `${url}/v1/world/session`;
    const image = await (await fetch(`${url}/v1/world/start/image`)).arrayBuffer();
    await fetch(`${session}/source`, { method: "POST", headers: { "content-type": "image/png" }, body: image });
    const camera = { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] };
    const accepted = await fetch(`${session}/transitions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "a hall", camera, num_frames: 5, steps: 2 }),
    });
    assert.equal(accepted.status, 202, await accepted.clone().text());
    const { job_id } = await accepted.json();
    let status = "";
    while (!["completed", "failed"].includes(status)) {
      assert.equal((await fetch(`${url}/health`)).status, 200);
      ({ status } = await (await fetch(`${url}/v1/world/jobs/${job_id}`)).json());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(status, "completed");
    leaving.abort();
    await assert.rejects(waiting);
    let reset = new Response(null, { status: 409 });
    while (reset.status === 409) reset = await fetch(`${at}/reset`, { method: "POST" });
    assert.equal(reset.status, 200, "nothing else happens in it");
    assert.equal((await fetch(`${url}/v1/worlds/${world}`, { method: "DELETE" })).status, 200);
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0, server.stderr());
  }));
