import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import { end, ROOT, startServer } from "../support/server_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

async function post(url: string, type?: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    ...(type !== undefined && { headers: { "content-type": type } }),
    ...(body !== undefined && { body }),
  });
}

// @row world-session > Options > `--json`
// @row world-session > Snapshot > Reading never waits for the model
// @row world-session > Rules of every route > Signals and exit codes
test("the world server walks, answers meanwhile, keeps others out and ends on SIGTERM", () =>
  withFolder(async (folder) => {
    const args = ["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`];
    const server = startServer(args);
    const { url, event, model } = JSON.parse(await server.line);
    assert.deepEqual([event, model], ["listening", "corridor-nano"]);
    assert.equal((await (await fetch(`${url}/health`)).json()).phase, "cold");

    const second = startServer(args);
    assert.equal(await second.exit, 1);
    assert.match(second.stderr(), /^svc: Cannot use .*: process \d+ \(on \S+, since \S+\) is using it/);

    const image = new Uint8Array(readFileSync(join(ROOT, "examples", "corridor.png")));
    assert.equal((await post(`${url}/v1/world/session/source`, "image/png", image)).status, 200);
    const body = JSON.stringify({ prompt: "a corridor", action_seq: ["w"], num_output_frames: 6 });
    const accepted = await post(`${url}/v1/world/session/rollouts`, "application/json", body);
    assert.equal(accepted.status, 202);
    const at = `${url}${accepted.headers.get("location")}`;
    let job: Wire<JobRecord> = await accepted.json();
    const phases = new Set<string>();
    while (["queued", "generating"].includes(job.status)) {
      phases.add((await (await fetch(`${url}/health`)).json()).phase);
      job = await (await fetch(at)).json();
    }
    assert.equal(job.status, "completed", JSON.stringify(job.error));
    assert.ok(phases.has("preparing") && phases.has("generating"), [...phases].join());
    assert.deepEqual(job.chunks.map((c) => c.pixel_frame_range), [[0, 9], [9, 21]]);
    const video = new Uint8Array(await (await fetch(`${at}/media/output`)).arrayBuffer());
    assert.equal(new TextDecoder().decode(video.subarray(4, 8)), "ftyp");
    const png = new Uint8Array(await (await fetch(`${at}/media/terminal-frame`)).arrayBuffer());
    assert.equal(new TextDecoder().decode(png.subarray(1, 4)), "PNG");

    // The end cancels what is running.
    await post(`${url}/v1/world/session/rollouts`, "application/json", body.replace(":6", ":252"));
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0);
    assert.match(server.stderr(), /rollout_cancelled/);
    assert.equal(existsSync(join(folder, "server.lock")), false);
    assert.deepEqual(readdirSync(folder).filter((name) => name.includes("0003")), []);
  }));

// @row world-session > Rules of the world server > One server a state directory
test("the world server starts at once after one that was killed, and ends when its state directory is taken over", () =>
  withFolder(async (folder) => {
    const args = ["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`];
    const killed = startServer(args);
    await killed.line;
    end(killed, "SIGKILL");
    await killed.exit;
    // The journal names neither, so they are somebody's.
    const others = ["rollout-0001.chunks", "rollout-0002.chunks"].map((name) => join(folder, name));
    for (const path of others) mkdirSync(path);
    writeFileSync(join(folder, "rollout-0002.mp4"), "");
    const server = startServer(args);
    await server.line;
    assert.deepEqual(others.map((path) => existsSync(path)), [true, true]);
    assert.doesNotMatch(server.stderr(), /state_directory_in_doubt/);
    const [lock] = readdirSync(join(folder, "server.lock"));
    rmSync(join(folder, "server.lock", lock)); // as another machine does that sees no sign of life
    assert.equal(await server.exit, 1);
    assert.match(
      server.stderr(),
      /^svc: Cannot continue in .*: another process has taken it over while this one stood still$/m,
    );
  }));

test("the world server keeps running when nobody reads its log, and ends on SIGHUP as on SIGTERM", () =>
  withFolder(async (folder) => {
    const server = startServer(["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`]);
    const { url } = JSON.parse(await server.line);
    server.child.stderr!.destroy();
    server.child.stdout!.destroy();
    for (let i = 0; i < 20; i++) {
      assert.equal((await post(`${url}/v1/world/session/rollouts`, "application/json", "{}")).status, 400);
    }
    assert.equal((await fetch(`${url}/health`)).status, 200);
    end(server, "SIGHUP");
    assert.equal(await server.exit, 0);
    assert.equal(existsSync(join(folder, "server.lock")), false);
  }));

// @row world-session > Options > A number of scene memory that is invalid or not finite ends the start before the model is loaded
// @row world-session > Authentication > A bind to the network needs a key: exit 2, one sentence
// @row world-session > Rules of every route > Signals and exit codes
test("the world server ends with status 2 and one line when it is used wrongly", async () => {
  const server = startServer(["--host=0.0.0.0"]);
  assert.equal(await server.exit, 2);
  assert.match(server.stderr(), /^svc: Cannot listen on 0\.0\.0\.0: [^\n]*\n$/);
  const guessable = startServer(["--host=0.0.0.0", "--api-key=guessable"]);
  assert.equal(await guessable.exit, 2);
  assert.match(guessable.stderr(), /^svc: Cannot listen on 0\.0\.0\.0: the key has 9 characters, [^\n]*\n$/);
});

// @row world-session > Options > `--prepare`
// @row world-session > Errors > A missing model: 503 with every file and the command; nothing is downloaded
test("the world server starts without its model, except with --prepare", () =>
  withFolder(async (folder) => {
    const args = [
      "--port=0",
      "--json",
      `--model=${join(folder, "none")}`,
      `--state-directory=${join(folder, "state")}`,
    ];
    const prepared = startServer([...args, "--prepare"]);
    assert.equal(await prepared.exit, 1);
    assert.match(prepared.stderr(), /model\.safetensors/);
    const server = startServer(args);
    const { url } = JSON.parse(await server.line);
    const response = await post(`${url}/v1/world/session/prepare`);
    assert.equal(response.status, 503);
    const { error } = await response.json();
    assert.equal(error.code, "model_unavailable");
    assert.match(error.message, /6 files are missing.*vae\.safetensors.*tokenizer|tokenizer.*vae\.safetensors/);
    // Its commands are there.
    assert.match(
      error.message,
      /install them with svc model pull dreamx-5b, .*or with hf download GD-ML\/DreamX-World-5B --local-dir "[^"]*\/causal" and /,
    );
    const [named] = /svc (model convert --kind arworld)/.exec(error.message)!.slice(1);
    const { status, stdout } = await runSvc(folder, [...named.split(" ").slice(0, 2), "--help"]);
    assert.deepEqual([status, stdout.includes(`svc ${named} [--text-encoder SRC]`)], [0, true], stdout);
    end(server, "SIGINT");
    assert.equal(await server.exit, 0);
  }));
