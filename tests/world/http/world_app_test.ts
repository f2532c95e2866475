import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "../../support/fake_media.ts";
import {
  deferred,
  errorOf,
  type HarnessOptions,
  ROLLOUT,
  type WorldHarness,
  worldHarness,
} from "../../support/world_harness.ts";
import { modelUnavailable } from "../../../lib/errors/svc_error.ts";
import { toWire } from "../../../lib/json/wire_form.ts";

const AT = "/v1/world/session";
const SOURCE = text("image 64 32 7");
const UPLOAD = { headers: { "content-type": "image/png" }, body: SOURCE };
const UNKNOWN = "/v1/world/jobs/ffffffff-0000-4000-8000-000000000000";

async function withApp(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

async function refused(response: Response, status: number, code: string): Promise<{ message: string; param?: string }> {
  const { type, ...error } = await errorOf(response);
  assert.equal(response.status, status, error.message);
  assert.equal(error.code, code);
  assert.match(type, /^[a-z_]+_error$/);
  assert.match(error.message, /^Cannot .*[^.]$/);
  assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  return error;
}

test("GET /health reports that the server runs and loads nothing", () =>
  withApp(async (h) => {
    const response = await h.call("GET", "/health");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.deepEqual(await response.json(), {
      object: "world.health",
      status: "ok",
      backend: "arworld",
      phase: "cold",
      version: "1.2.3",
    });
    assert.deepEqual(h.model.calls, []);
  }));

test("the main job runs over HTTP from the upload to the files", () =>
  withApp(async (h) => {
    const prepared = await (await h.call("POST", `${AT}/prepare`)).json();
    assert.equal(prepared.phase, "ready");
    const source = await (await h.call("POST", `${AT}/source`, UPLOAD)).json();
    assert.equal(source.state_ids.length, 1);
    const accepted = await h.call("POST", `${AT}/rollouts`, { json: ROLLOUT });
    assert.equal(accepted.status, 202);
    const job = await accepted.json();
    assert.equal(accepted.headers.get("location"), `/v1/world/jobs/${job.job_id}`);
    assert.ok(["queued", "generating"].includes(job.status));
    await h.ended(job);
    const record = await (await h.call("GET", `/v1/world/jobs/${job.job_id}`)).json();
    assert.equal(record.status, "completed");
    for (const chunk of record.chunks) {
      const response = await h.call("GET", chunk.media_path);
      assert.equal(response.headers.get("content-type"), "video/mp4");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(await response.text(), readFileSync(chunk.path, "utf8"));
    }
    const receipt = record.rollout_receipt;
    assert.match(await (await h.call("GET", receipt.output_media_path)).text(), /^video 16 chunk 0 9/);
    const frame = await h.call("GET", receipt.terminal_frame_media_path);
    assert.equal(frame.headers.get("content-type"), "image/png");
    assert.match(await frame.text(), /^image 64 32/);
    const session = await (await h.call("GET", AT)).json();
    assert.equal(session.current_frame_media_path, receipt.terminal_frame_media_path);
    assert.equal((await (await h.call("POST", `${AT}/unload`)).json()).phase, "cold");
  }));

test("media answer HEAD and Range", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const job = await h.walk();
    const path = `/v1/world/jobs/${job.jobId}/media/output`;
    const head = await h.call("HEAD", path);
    const whole = await (await h.call("GET", path)).text();
    assert.equal(head.headers.get("content-length"), String(whole.length));
    assert.equal(head.body, null);
    const part = await h.call("GET", path, { headers: { range: "bytes=2-5" } });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), whole.slice(2, 6));
    await refused(await h.call("GET", path, { headers: { range: "bytes=99999-" } }), 416, "range_not_satisfiable");
  }));

test("media that do not exist are 404", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const begun = deferred();
    h.model.onGenerate = begun.resolve;
    h.model.gate = new Promise(() => {});
    const job = await h.rollout();
    await begun.promise;
    const at = `/v1/world/jobs/${job.jobId}/media`;
    await refused(await h.call("GET", `${at}/chunks/0`), 404, "media_not_found");
    await refused(await h.call("GET", `${at}/output`), 404, "media_not_found");
    await refused(await h.call("GET", `${at}/terminal-frame`), 404, "media_not_found");
    await refused(await h.call("GET", `${at}/chunks/-1`), 400, "invalid_chunk_index");
    await refused(await h.call("GET", `${at}/chunks/x`), 400, "invalid_chunk_index");
    h.session.cancel(job.jobId);
    await h.ended(job);
    h.model.gate = undefined;
    const done = await h.walk();
    rmSync(done.rolloutReceipt!.outputPath);
    await refused(await h.call("GET", done.rolloutReceipt!.outputMediaPath), 404, "media_not_found");
  }));

test("missing jobs are 404, and invalid ids 400", () =>
  withApp(async (h) => {
    await refused(await h.call("GET", UNKNOWN), 404, "job_not_found");
    await refused(await h.call("DELETE", UNKNOWN), 404, "job_not_found");
    await refused(await h.call("GET", `${UNKNOWN}/media/output`), 404, "job_not_found");
    await refused(await h.call("GET", "/v1/world/jobs/1"), 400, "invalid_job_id");
    await refused(await h.call("GET", "/v1/world/jobs/..%2F..%2Fetc/media/output"), 400, "invalid_job_id");
  }));

test("DELETE cancels a job and returns an ended one unchanged", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    h.model.gate = new Promise(() => {});
    const job = await h.rollout();
    const response = await h.call("DELETE", `/v1/world/jobs/${job.jobId}`);
    assert.equal(response.status, 202);
    assert.equal((await response.json()).status, "cancelling");
    const record = await h.ended(job);
    const again = await h.call("DELETE", `/v1/world/jobs/${job.jobId.toUpperCase()}`);
    assert.equal(again.status, 202);
    assert.deepEqual(await again.json(), JSON.parse(JSON.stringify(toWire(record))));
  }));

test("a busy session answers 409 to what would change it, and everything else as always", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    h.model.gate = new Promise(() => {});
    const job = await h.rollout();
    await refused(await h.call("POST", `${AT}/rollouts`, { json: ROLLOUT }), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/prepare`), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/reset`), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/unload`), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/source`, UPLOAD), 409, "session_busy");
    await refused(await h.call("POST", `${AT}/rollouts`, { json: { ...ROLLOUT, fps: 0 } }), 400, "invalid_fps");
    assert.equal((await (await h.call("GET", AT)).json()).active_job.job_id, job.jobId);
    assert.equal((await h.call("GET", "/health")).status, 200);
  }));

// @row world-session > Errors > 415, before the body is read
test("bodies of the wrong type are 415, and invalid JSON 400", () =>
  withApp(async (h) => {
    const body = JSON.stringify(ROLLOUT);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const response = await h.call("POST", `${AT}/rollouts`, { headers: { "content-type": type }, body });
      await refused(response, 415, "unsupported_content_type");
    }
    await refused(await h.call("POST", `${AT}/rollouts`), 415, "unsupported_content_type");
    const json = { "content-type": "application/json" };
    for (const bad of ["", "{", "nonsense"]) {
      await refused(await h.call("POST", `${AT}/rollouts`, { headers: json, body: bad }), 400, "invalid_json");
    }
    const utf8 = { headers: json, body: new Uint8Array([0x22, 0xff, 0x22]) };
    await refused(await h.call("POST", `${AT}/rollouts`, utf8), 400, "invalid_json");
    const twice = { headers: json, body: '{"prompt":"a","prompt":"b"}' };
    await refused(await h.call("POST", `${AT}/rollouts`, twice), 400, "duplicate_field");
    const custom = { headers: { "content-type": "application/world+json; v=1" }, body };
    await refused(await h.call("POST", `${AT}/rollouts`, custom), 400, "source_required");
    await refused(await h.call("POST", `${AT}/source`, { headers: json, body: "{}" }), 415, "unsupported_content_type");
  }));

test("bodies beyond their limit are 413", () =>
  withApp(async (h) => {
    const long = { ...ROLLOUT, prompt: "x".repeat(1024 * 1024) };
    const { message } = await refused(await h.call("POST", `${AT}/rollouts`, { json: long }), 413, "body_too_large");
    assert.match(message, /1048576 bytes/);
    const upload = { headers: { "content-type": "image/png" }, body: new Uint8Array(32 * 1024 * 1024 + 1) };
    await refused(await h.call("POST", `${AT}/source`, upload), 413, "body_too_large");
  }));

test("an upload that is not an image changes nothing", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const before = h.session.snapshot();
    const headers = { "content-type": "application/octet-stream" };
    await refused(await h.call("POST", `${AT}/source`, { headers, body: text("GIF?") }), 400, "image_unsupported");
    await refused(await h.call("POST", `${AT}/source`, { headers }), 400, "empty_body");
    assert.deepEqual(h.session.snapshot(), before);
    assert.equal((await h.call("POST", `${AT}/source`, { headers, body: SOURCE })).status, 200);
  }));

// @row world-session > Reset and checkpoint requests > A reset needs no body
test("POST reset takes no body, or JSON", () =>
  withApp(async (h) => {
    writeFileSync(join(h.folder, "a.png"), SOURCE);
    assert.equal((await h.call("POST", `${AT}/reset`)).status, 200);
    const named = await h.call("POST", `${AT}/reset`, { json: { sourceImage: join(h.folder, "a.png") } });
    assert.equal((await named.json()).state_ids.length, 1);
    await refused(
      await h.call("POST", `${AT}/reset`, { body: "{}", headers: { "content-type": "text/plain" } }),
      415,
      "unsupported_content_type",
    );
    await refused(await h.call("POST", `${AT}/reset`, { json: [] }), 400, "invalid_json");
  }));

test("paths of clients stay where they are allowed, through links too", () =>
  withApp(async (h) => {
    writeFileSync(join(h.outside, "secret.png"), SOURCE);
    symlinkSync(h.outside, join(h.folder, "link"));
    symlinkSync(join(h.outside, "secret.png"), join(h.folder, "link.png"));
    const paths = [
      join(h.outside, "secret.png"),
      join(h.folder, "link", "secret.png"),
      join(h.folder, "link.png"),
      join(h.folder, "..", "outside", "secret.png"),
      join(h.outside, "missing.png"),
      "/etc/passwd",
    ];
    for (const path of paths) {
      const body = { ...ROLLOUT, source_image: path };
      await refused(await h.call("POST", `${AT}/rollouts`, { json: body }), 403, "path_not_allowed");
      await refused(await h.call("POST", `${AT}/reset`, { json: { source_image: path } }), 403, "path_not_allowed");
    }
    await h.session.setSource(SOURCE);
    for (const output of [join(h.folder, "link", "x.mp4"), join(h.outside, "x.mp4")]) {
      const response = await h.call("POST", `${AT}/rollouts`, { json: { ...ROLLOUT, output } });
      await refused(response, 403, "path_not_allowed");
    }
    writeFileSync(join(h.folder, "there.mp4"), "");
    const there = { ...ROLLOUT, output: join(h.folder, "there.mp4") };
    const { param } = await refused(await h.call("POST", `${AT}/rollouts`, { json: there }), 409, "output_exists");
    assert.equal(param, "output");
    const missing = { ...ROLLOUT, source_image: join(h.folder, "missing.png") };
    await refused(await h.call("POST", `${AT}/rollouts`, { json: missing }), 400, "image_not_found");
  }));

test("unknown paths are 404 and other methods 405 with what is allowed", () =>
  withApp(async (h) => {
    for (
      const path of [
        "/",
        "/v1",
        "/v1/world",
        `${AT}/`,
        "/v1/world/jobs",
        `${AT}/media`,
        `${AT}/checkpoints/`,
        "/v1/world/events/",
      ]
    ) {
      await refused(await h.call("GET", path), 404, "path_not_found");
    }
    const allowed: [method: string, path: string, allow: string][] = [
      ["POST", "/health", "GET, HEAD, OPTIONS"],
      ["DELETE", AT, "GET, HEAD, OPTIONS"],
      ["GET", `${AT}/rollouts`, "POST, OPTIONS"],
      ["PUT", `${AT}/source`, "POST, OPTIONS"],
      ["PATCH", UNKNOWN, "GET, HEAD, DELETE, OPTIONS"],
    ];
    for (const [method, path, allow] of allowed) {
      const response = await h.call(method, path);
      assert.equal(response.headers.get("allow"), allow);
      await refused(response, 405, "method_not_allowed");
    }
  }));

// @row world-session > Authentication > Media too
test("a key guards everything but /health and preflights, media too", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const job = await h.walk();
    const paths = [AT, `/v1/world/jobs/${job.jobId}`, ...job.chunks.map((c) => c.mediaPath)];
    for (const path of paths) {
      const response = await h.call("GET", path);
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
      await refused(response, 401, "missing_api_key");
      await refused(await h.call("GET", path, { headers: { authorization: "Bearer no" } }), 401, "invalid_api_key");
      assert.equal((await h.call("GET", path, { headers: { authorization: "bearer key" } })).status, 200);
    }
    await refused(await h.call("POST", `${AT}/rollouts`, { body: "x" }), 401, "missing_api_key");
    assert.equal((await h.call("GET", "/health")).status, 200);
    assert.equal((await h.call("OPTIONS", AT)).status, 204);
  }, { apiKey: "key" }));

test("pages of allowed origins may read answers, errors too", () =>
  withApp(async (h) => {
    const origin = "http://localhost:3000";
    for (const path of [AT, "/nowhere", UNKNOWN]) {
      const response = await h.call("GET", path, { headers: { origin } });
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
      assert.equal(response.headers.get("vary"), "Origin");
      assert.match(response.headers.get("access-control-expose-headers") ?? "", /location/);
    }
    const evil = await h.call("GET", AT, { headers: { origin: "https://evil.example.com" } });
    assert.equal(evil.headers.get("access-control-allow-origin"), null);
    await refused(evil, 403, "origin_not_allowed");
    assert.equal((await h.call("GET", AT)).headers.get("access-control-allow-origin"), null);
  }));

test("a preflight says what is allowed", () =>
  withApp(async (h) => {
    const headers = { origin: "http://localhost:3000", "access-control-request-method": "POST" };
    const response = await h.call("OPTIONS", `${AT}/rollouts`, { headers });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("access-control-allow-methods"), "POST, OPTIONS");
    assert.match(response.headers.get("access-control-allow-headers") ?? "", /authorization, content-type/);
    assert.equal(response.headers.get("access-control-allow-origin"), "http://localhost:3000");
    const evil = { ...headers, origin: "https://evil.example.com" };
    await refused(await h.call("OPTIONS", `${AT}/rollouts`, { headers: evil }), 403, "origin_not_allowed");
    await refused(await h.call("OPTIONS", "/nowhere", { headers }), 404, "path_not_found");
  }));

test("a keyless server answers neither other hosts nor other machines", () =>
  withApp(async (h) => {
    await refused(await h.call("GET", "/health", { headers: { host: "evil.example.com" } }), 403, "host_not_allowed");
    await refused(await h.call("GET", AT, { peer: "10.0.0.1" }), 403, "peer_not_allowed");
  }));

test("checks come in their order: method and path, host and origin, token, type, size, fields", () =>
  withApp(async (h) => {
    const evil = { origin: "https://evil.example.com", "content-type": "text/plain" };
    const key = { authorization: "Bearer key" };
    const body = "x".repeat(1024 * 1024 + 1);
    await refused(await h.call("PUT", `${AT}/rollouts`, { headers: evil, body }), 405, "method_not_allowed");
    await refused(await h.call("POST", `${AT}/rollouts`, { headers: evil, body }), 403, "origin_not_allowed");
    const plain = { "content-type": "text/plain" };
    await refused(await h.call("POST", `${AT}/rollouts`, { headers: plain, body }), 401, "missing_api_key");
    await refused(
      await h.call("POST", `${AT}/rollouts`, { headers: { ...plain, ...key }, body }),
      415,
      "unsupported_content_type",
    );
    const json = { "content-type": "application/json", ...key };
    await refused(await h.call("POST", `${AT}/rollouts`, { headers: json, body }), 413, "body_too_large");
    await refused(await h.call("POST", `${AT}/rollouts`, { headers: json, body: "x" }), 400, "invalid_json");
  }, { apiKey: "key" }));

// @row world-session > Errors > Unforeseen errors are sanitized
test("an unforeseen error is logged and not sent to the client", () =>
  withApp(async (h) => {
    const error = new Error("ENOENT: /home/someone/secret");
    h.model.failure = { call: "prepare", error };
    const response = await h.call("POST", `${AT}/prepare`);
    const { message } = await refused(response, 500, "internal_error");
    assert.doesNotMatch(message, /someone/);
    assert.deepEqual(h.errors, [error]);
  }));

test("a model that cannot be loaded is 503", () =>
  withApp(async (h) => {
    const error = modelUnavailable("model_invalid", "Cannot load the world model: vae.safetensors lacks a tensor");
    h.model.failure = { call: "prepare", error };
    const { message } = await refused(await h.call("POST", `${AT}/prepare`), 503, "model_invalid");
    assert.match(message, /lacks a tensor/);
  }));
