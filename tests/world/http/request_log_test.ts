import assert from "node:assert/strict";
import { test } from "node:test";
import { type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

async function withApp(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await work(harness);
  } finally {
    harness.stop();
    await harness.close();
  }
}

// @row world-session > Rules of every route > Request ids
test("every answer has a request id of its own, and is logged under it", () =>
  withApp(async (h) => {
    const asked: [method: string, path: string, status: number][] = [
      ["GET", "/health", 200],
      ["HEAD", "/health", 200],
      ["GET", "/nowhere", 404],
      ["PUT", "/health", 405],
      ["OPTIONS", "/health", 204],
      ["POST", "/v1/world/session/rollouts", 415],
      ["GET", "/v1/world/events", 200],
      ["GET", "/v1/world/jobs/x", 400],
    ];
    const ids: (string | null)[] = [];
    for (const [method, path, status] of asked) {
      const response = await h.call(method, path);
      ids.push(response.headers.get("x-request-id"));
      const { duration, route: _route, ...described } = h.answers.at(-1)!;
      assert.deepEqual(described, { requestId: ids.at(-1), method, path, status });
      assert.ok(duration >= 0 && duration < 10_000);
    }
    assert.equal(new Set(ids).size, asked.length);
    assert.equal(h.answers.length, asked.length);
  }));

test("the log of requests has neither query nor headers nor body", () =>
  withApp(async (h) => {
    const headers = { authorization: "Bearer s3cret", cookie: "s3cret", "content-type": "application/json" };
    await h.call("POST", "/v1/world/session/rollouts?key=s3cret", { headers, body: '{"prompt":"s3cret"}' });
    assert.equal(h.answers.length, 1);
    assert.doesNotMatch(JSON.stringify(h.answers), /s3cret/);
  }));

test("an error that was not foreseen has the request id of its answer in the log", () =>
  withApp(async (h) => {
    h.model.failure = { call: "prepare", error: new Error("ENOENT: /home/someone/secret") };
    const response = await h.call("POST", "/v1/world/session/prepare");
    assert.equal(response.status, 500);
    assert.equal(h.answers.at(-1)?.requestId, response.headers.get("x-request-id"));
    assert.equal(h.answers.at(-1)?.status, 500);
    assert.equal(h.errors.length, 1);
  }));
