import assert from "node:assert/strict";
import { test } from "node:test";
import { RateLimit } from "../../../lib/http/rate_limit.ts";
import { refusal, withApi } from "../../support/api_harness.ts";

/** A limit whose time is moved by hand, in seconds. */
function limited(perMinute: number) {
  let now = 0;
  const limit = new RateLimit(perMinute, () => now);
  return { limit, at: (seconds: number) => now = seconds * 1000 };
}

// @row model-api > Rules of the model API > Sliding window per client, `Retry-After`, `x-ratelimit-*`
test("RateLimit allows as many as configured within any minute, not within each", () => {
  const { limit, at } = limited(3);
  for (const second of [0, 50, 59]) {
    at(second);
    assert.equal(limit.take("a").allowed, true);
  }
  at(59.999);
  assert.deepEqual(limit.take("a"), { allowed: false, remaining: 0, nextIn: 1, fullIn: 59_001 });
  at(60);
  assert.equal(limit.take("a").allowed, true);
  assert.equal(limit.take("a").allowed, false);
  at(109.999);
  assert.equal(limit.take("a").allowed, false);
  at(110);
  assert.equal(limit.take("a").allowed, true);
});

test("A server without a limit answers as many requests as come, and says nothing of limits", () =>
  withApi({ rateLimitPerMinute: undefined }, async (h) => {
    for (let i = 0; i < 100; i++) {
      const response = await h.chat();
      assert.deepEqual([response.status, response.headers.get("x-ratelimit-limit-requests")], [200, null]);
      await response.body?.cancel();
    }
  }));

test("RateLimit does not count what it refuses", () => {
  const { limit, at } = limited(1);
  limit.take("a");
  for (let second = 1; second < 60; second++) {
    at(second);
    assert.deepEqual([limit.take("a").allowed, limit.take("a").nextIn], [false, (60 - second) * 1000]);
  }
  at(60);
  assert.equal(limit.take("a").allowed, true);
});

// @row model-api > Rules of the model API > Sliding window per client, `Retry-After`, `x-ratelimit-*`
test("RateLimit counts each address separately; both spellings of an IPv4 address are one", () => {
  const { limit } = limited(1);
  for (const address of ["10.0.0.1", "10.0.0.2", "::1", "fe80::1"]) assert.equal(limit.take(address).allowed, true);
  for (const address of ["::ffff:10.0.0.1", "::FFFF:10.0.0.2", "FE80::1"]) {
    assert.equal(limit.take(address).allowed, false);
  }
});

test("RateLimit forgets clients that have stopped asking", () => {
  const { limit, at } = limited(5);
  for (let i = 0; i < 1000; i++) limit.take(`10.0.${i >> 8}.${i & 255}`);
  assert.equal(limit.size, 1000);
  at(60);
  limit.take("a");
  assert.equal(limit.size, 1);
});

const inference = [
  ["/v1/chat/completions", { model: "chat-a", messages: [{ role: "user", content: "x" }] }],
  ["/v1/embeddings", { model: "embed", input: "x" }],
  ["/v1/rerank", { model: "rank", query: "x", documents: ["0"] }],
] as const;

// @row model-api > Options > `--rate-limit-per-minute`, 60 by default
// @row model-api > Authentication > 2: rate limits on the compatible routes
// @row model-api > Errors > rate limit exceeded: 429
test("inference routes share a client's limit and report it", () =>
  withApi({ rateLimitPerMinute: 3 }, async (h) => {
    for (const [i, [path, json]] of inference.entries()) {
      const response = await h.call("POST", path, { json });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("x-ratelimit-limit-requests"), "3");
      assert.equal(response.headers.get("x-ratelimit-remaining-requests"), String(2 - i));
      assert.equal(response.headers.get("x-ratelimit-reset-requests"), "60s");
    }
    await h.clock.advance(20.5);
    for (const [path, json] of inference) {
      const response = await h.call("POST", path, { json });
      assert.equal(response.headers.get("retry-after"), "40");
      assert.equal(response.headers.get("x-ratelimit-remaining-requests"), "0");
      const { type, message } = await refusal(response, 429, "rate_limit_exceeded");
      assert.equal(type, "rate_limit_error");
      assert.match(message, /try again in 40 s$/);
    }
    assert.equal((await h.call("POST", "/v1/embeddings", { json: inference[1][1], peer: "127.0.0.2" })).status, 200);
    await h.clock.advance(39.5);
    assert.equal((await h.call("POST", "/v1/embeddings", { json: inference[1][1] })).status, 200);
  }));

// @row model-api > Rules of every route > Loopback by the peer of the socket
test("forwarded headers do not make another client", () =>
  withApi({ rateLimitPerMinute: 1 }, async (h) => {
    await h.chat();
    const headers = { "x-forwarded-for": "1.2.3.4", "forwarded": "for=1.2.3.4", "x-real-ip": "1.2.3.4" };
    await refusal(await h.chat({}, { headers }), 429, "rate_limit_exceeded");
  }));

// @row model-api > Rules of the model API > Sliding window per client, `Retry-After`, `x-ratelimit-*`
test("requests that are wrong count, those of the wrong content type or token do not", () =>
  withApi({ rateLimitPerMinute: 2, apiKey: "k" }, async (h) => {
    const headers = { authorization: "Bearer k" };
    for (let i = 0; i < 3; i++) {
      await refusal(await h.chat(), 401, "missing_api_key");
      const wrong = await h.call("POST", "/v1/chat/completions", { headers, body: "x" });
      assert.equal(wrong.headers.get("x-ratelimit-limit-requests"), null);
      await refusal(wrong, 415, "unsupported_content_type");
    }
    const refused = await h.chat({ messages: [] }, { headers });
    assert.equal(refused.headers.get("x-ratelimit-remaining-requests"), "1");
    await refusal(refused, 400, "invalid_messages");
    await refusal(await h.chat({ n: 2 }, { headers }), 400, "unsupported_parameter");
    await refusal(await h.chat({}, { headers }), 429, "rate_limit_exceeded");
  }));

// @row model-api > Authentication > 2: rate limits on the compatible routes
test("no other route is limited", () =>
  withApi({ rateLimitPerMinute: 1 }, async (h) => {
    const routes: [string, string][] = [
      ["GET", "/health"],
      ["GET", "/v1/models"],
      ["GET", "/v1/models/chat-a"],
      ["GET", "/runtime/status"],
      ["POST", "/runtime/models/chat-a/load"],
      ["POST", "/runtime/models/chat-a/unload"],
      ["GET", "/runtime/models/chat-a/settings"],
      ["GET", "/metrics"],
      ["GET", "/openapi.json"],
    ];
    await h.chat();
    for (const [method, path] of [...routes, ...routes]) {
      const response = await h.call(method, path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("x-ratelimit-limit-requests"), null, path);
    }
  }));
