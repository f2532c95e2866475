import assert from "node:assert/strict";
import { test } from "node:test";
import type { SvcError } from "../../../lib/errors/svc_error.ts";
import { AccessPolicy } from "../../../lib/http/access_policy.ts";
import { operationRoutes } from "../../../lib/http/metrics.ts";
import { createRouter } from "../../../lib/http/router.ts";
import { type ApiHarness, withApi } from "../../support/api_harness.ts";

/** Samples of the text format by their name and labels. */
async function samples(h: ApiHarness): Promise<Map<string, number>> {
  const response = await h.call("GET", "/metrics");
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const lines = (await response.text()).split("\n");
  assert.equal(lines.pop(), "");
  const types = new Map<string, string>();
  const found = new Map<string, number>();
  for (const line of lines) {
    const type = /^# TYPE (\w+) (counter|gauge)$/.exec(line);
    if (type) types.set(type[1], type[2]);
    if (line.startsWith("#")) {
      assert.match(line, /^# (HELP \w+ .+\.|TYPE \w+ (counter|gauge))$/);
      continue;
    }
    const sample = /^(\w+)(\{(\w+="([^"\\\n]|\\[\\"n])*",?)+\})? (\S+)$/.exec(line);
    assert.ok(sample, line);
    assert.ok(types.has(sample[1]), line);
    assert.equal(types.get(sample[1]) === "counter", sample[1].endsWith("_total"), line);
    assert.ok(Number.isFinite(Number(sample[5])), line);
    const name = sample[1] + (sample[2] ?? "");
    assert.ok(!found.has(name), line);
    found.set(name, Number(sample[5]));
  }
  return found;
}

// @row model-api > Endpoints > GET `/metrics`
test("GET /metrics counts requests, chats and tokens in the text format of Prometheus", () =>
  withApi({}, async (h) => {
    await samples(h);
    for (const model of ["chat-a", "chat-a", "chat-b", "nobody"]) await h.chat({ model });
    await h.call("POST", "/v1/embeddings", { json: { model: "embed", input: "x" } });
    await h.call("BREW", "/../etc/passwd");
    const found = await samples(h);
    const expected: Record<string, number> = {
      'svc_info{version="1.2.3"}': 1,
      'svc_http_requests_total{method="POST",route="/v1/chat/completions",status="200"}': 3,
      'svc_http_requests_total{method="POST",route="/v1/chat/completions",status="404"}': 1,
      'svc_http_requests_total{method="other",route="none",status="404"}': 1,
      'svc_http_requests_total{method="GET",route="/metrics",status="200"}': 1,
      'svc_chats_total{model="chat-a"}': 2,
      'svc_chats_total{model="chat-b"}': 1,
      'svc_prompt_tokens_total{model="chat-a"}': 14,
      'svc_cached_tokens_total{model="chat-a"}': 6,
      'svc_generated_tokens_total{model="chat-a"}': 4,
      'svc_chat_seconds_total{model="chat-a",phase="prefill"}': 1,
      'svc_model_loaded{model="chat-a"}': 1,
      'svc_lane_loaded{lane="embedding"}': 1,
      'svc_lane_requests_total{lane="embedding",outcome="completed"}': 1,
      svc_requests_active: 0,
      svc_requests_queued: 0,
      svc_request_slots: 1,
      svc_requests_admitted_total: 4,
      'svc_memory_pressure{level="nominal"}': 1,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(found.get(name), value, name);
  }));

test("GET /metrics has as many series as there are routes and models, whatever clients send", () =>
  withApi({}, async (h) => {
    const count = async () => (await samples(h)).size;
    await h.chat({ model: "x" });
    await h.call("GET", "/nowhere");
    await count();
    const before = await count();
    for (let i = 0; i < 50; i++) {
      await h.chat({ model: `x${i}` });
      await h.call("GET", `/nowhere/${i}?${i}`);
    }
    assert.equal(await count(), before);
  }));

// @row model-api > Endpoints > GET `/ready`
test("GET /ready needs no key and answers 503 until the server takes requests", async () => {
  const access = new AccessPolicy({ apiKey: "key" });
  for (const [ready, status] of [[false, 503], [true, 200]] as const) {
    const routes = operationRoutes({ isReady: () => ready, families: () => [] });
    const asSvcError = (): SvcError => assert.fail("it was refused");
    const router = createRouter({ routes, access, newId: () => "id", asSvcError });
    const response = await router(new Request("http://127.0.0.1/ready"), "127.0.0.1");
    assert.deepEqual([response.status, await response.json()], [status, { object: "readiness", ready }]);
  }
  await withApi({ apiKey: "key" }, async (h) => assert.equal((await h.call("GET", "/ready")).status, 200));
});
