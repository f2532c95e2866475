import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { text } from "../../support/fake_media.ts";
import {
  errorOf,
  type HarnessOptions,
  transition,
  type WorldHarness,
  worldHarness,
} from "../../support/world_harness.ts";

const SESSION = "/v1/world/session";
const AT = `${SESSION}/checkpoints`;
const UNKNOWN = `${AT}/ffffffff-0000-4000-8000-000000000000`;
const SOURCE = { headers: { "content-type": "image/png" }, body: text("image 64 32 7") };

async function withWorld(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await harness.call("POST", `${SESSION}/prepare`);
    await harness.call("POST", `${SESSION}/source`, SOURCE);
    await work(harness);
  } finally {
    await harness.close();
  }
}

async function refused(response: Response, status: number, code: string): Promise<void> {
  const error = await errorOf(response);
  assert.equal(response.status, status, error.message);
  assert.equal(error.code, code);
}

// @row world-session > Endpoints > `POST …/checkpoints/…/restore`
test("a checkpoint is created with 201, listed, shown, restored and deleted over HTTP", () =>
  withWorld(async (h) => {
    const created = await h.call("POST", AT, { json: { name: "door 🚪" } });
    assert.equal(created.status, 201);
    const checkpoint = await created.json();
    assert.equal(checkpoint.name, "door 🚪");
    assert.equal(checkpoint.frame_media_path, `${AT}/${checkpoint.checkpoint_id}/media/frame`);
    await h.move("forward");
    const list = await h.call("GET", AT);
    assert.equal(list.status, 200);
    assert.deepEqual(await list.json(), [checkpoint]);
    const frame = await h.call("GET", checkpoint.frame_media_path);
    assert.equal(frame.headers.get("content-type"), "image/png");
    assert.match(await frame.text(), /^image 64 32/);
    const restored = await h.call("POST", `${AT}/${checkpoint.checkpoint_id.toUpperCase()}/restore`);
    assert.equal(restored.status, 200);
    assert.equal((await restored.json()).current_state_id, checkpoint.state_id);
    const deleted = await h.call("DELETE", `${AT}/${checkpoint.checkpoint_id}`);
    assert.equal(deleted.status, 200);
    assert.deepEqual(await deleted.json(), checkpoint);
    assert.deepEqual(await (await h.call("GET", AT)).json(), []);
    await refused(await h.call("GET", checkpoint.frame_media_path), 404, "checkpoint_not_found");
  }));

test("the picture of a checkpoint is fetched in parts, by its tag and by HEAD", () =>
  withWorld(async (h) => {
    const { frame_media_path: path } = await (await h.call("POST", AT, { json: { name: "x" } })).json();
    const whole = await h.call("GET", path);
    const bytes = await whole.text();
    const head = await h.call("HEAD", path);
    assert.equal(head.headers.get("content-length"), String(bytes.length));
    const part = await h.call("GET", path, { headers: { range: "bytes=1-3" } });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), bytes.slice(1, 4));
    const known = await h.call("GET", path, { headers: { "if-none-match": whole.headers.get("etag")! } });
    assert.equal(known.status, 304);
    await refused(await h.call("GET", path, { headers: { range: "bytes=9999-" } }), 416, "range_not_satisfiable");
  }));

test("missing checkpoints are 404, invalid ids 400", () =>
  withWorld(async (h) => {
    for (const [method, end] of [["DELETE", ""], ["POST", "/restore"], ["GET", "/media/frame"]]) {
      await refused(await h.call(method, UNKNOWN + end), 404, "checkpoint_not_found");
      await refused(await h.call(method, `${AT}/7${end}`), 400, "invalid_checkpoint_id");
      await refused(await h.call(method, `${AT}/..%2F..%2Fetc${end}`), 400, "invalid_checkpoint_id");
    }
  }));

test("the name of a checkpoint is checked", () =>
  withWorld(async (h) => {
    const wrong: [body: unknown, code: string][] = [
      [{}, "missing_field"],
      [{ name: "" }, "invalid_name"],
      [{ name: "x".repeat(201) }, "invalid_name"],
      [{ name: 7 }, "wrong_type"],
      [{ name: "x", colour: 1 }, "unknown_field"],
      [[], "invalid_json"],
    ];
    for (const [json, code] of wrong) await refused(await h.call("POST", AT, { json }), 400, code);
    assert.equal((await h.call("POST", AT, { json: { name: "🚪".repeat(200) } })).status, 201);
    await refused(await h.call("POST", AT), 415, "unsupported_content_type");
  }));

// @row world-session > Errors > 409 `session_cold`, `no_current_state`, `too_many_checkpoints`
test("more checkpoints than the limit are 409, until one is deleted", () =>
  withWorld(async (h) => {
    const { checkpoint_id: id } = await (await h.call("POST", AT, { json: { name: "a" } })).json();
    assert.equal((await h.call("POST", AT, { json: { name: "b" } })).status, 201);
    await refused(await h.call("POST", AT, { json: { name: "c" } }), 409, "too_many_checkpoints");
    await h.call("DELETE", `${AT}/${id}`);
    assert.equal((await h.call("POST", AT, { json: { name: "c" } })).status, 201);
  }, { limits: { maxCheckpoints: 2 } }));

// @row world-session > Errors > 409 `session_cold`, `no_current_state`, `too_many_checkpoints`
test("a cold session has no checkpoints", async () => {
  const h = await worldHarness();
  try {
    await refused(await h.call("GET", AT), 409, "session_cold");
    await refused(await h.call("POST", AT, { json: { name: "x" } }), 409, "session_cold");
    await refused(await h.call("POST", `${UNKNOWN}/restore`), 409, "session_cold");
    await refused(await h.call("DELETE", UNKNOWN), 409, "session_cold");
    await refused(await h.call("GET", `${UNKNOWN}/media/frame`), 409, "session_cold");
  } finally {
    await h.close();
  }
});

test("while a job runs checkpoints are read, and not changed", () =>
  withWorld(async (h) => {
    const checkpoint = await (await h.call("POST", AT, { json: { name: "x" } })).json();
    h.model.gate = new Promise(() => {});
    const job = await (await h.call("POST", `${SESSION}/transitions`, { json: transition("forward") })).json();
    assert.equal((await (await h.call("GET", AT)).json()).length, 1);
    assert.equal((await h.call("GET", checkpoint.frame_media_path)).status, 200);
    await refused(await h.call("POST", AT, { json: { name: "y" } }), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/${checkpoint.checkpoint_id}/restore`), 409, "session_busy");
    await refused(await h.call("DELETE", `${AT}/${checkpoint.checkpoint_id}`), 409, "session_busy");
    await h.call("DELETE", `/v1/world/jobs/${job.job_id}`);
    await h.ended(job);
  }));

test("media of a transition are served as those of a rollout are", () =>
  withWorld(async (h) => {
    const accepted = await h.call("POST", `${SESSION}/transitions`, { json: transition("forward") });
    assert.equal(accepted.status, 202);
    const job = await accepted.json();
    assert.equal(accepted.headers.get("location"), `/v1/world/jobs/${job.job_id}`);
    const { receipt, chunks } = await h.ended(job);
    assert.equal(receipt?.outputMediaPath, `/v1/world/jobs/${job.job_id}/media/output`);
    assert.match(await (await h.call("GET", receipt!.outputMediaPath)).text(), /^video/);
    assert.match(await (await h.call("GET", receipt!.terminalFrameMediaPath)).text(), /^image 64 32/);
    const part = await h.call("GET", chunks[0].mediaPath, { headers: { range: "bytes=0-1" } });
    assert.equal(part.status, 206);
    rmSync(receipt!.terminalFramePath);
    await refused(await h.call("GET", receipt!.terminalFrameMediaPath), 404, "media_not_found");
  }));

// @row world-session > Snapshot > `current_frame_media_path`
test("GET media/frame answers with what the session shows, and 404 while it shows nothing", async () => {
  const h = await worldHarness();
  try {
    const path = `${SESSION}/media/frame`;
    await refused(await h.call("GET", path), 404, "media_not_found");
    await h.call("POST", `${SESSION}/source`, SOURCE);
    const frame = await h.call("GET", path);
    assert.equal(frame.headers.get("content-type"), "image/png");
    assert.equal(frame.headers.get("cache-control"), "no-store");
    const source = await frame.text();
    await h.move("forward");
    assert.notEqual(await (await h.call("GET", path)).text(), source);
  } finally {
    await h.close();
  }
});
