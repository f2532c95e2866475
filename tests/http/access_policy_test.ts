import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessPolicy, isLoopback } from "../../lib/http/access_policy.ts";
import { errorResponse } from "../../lib/http/router.ts";
import { WrongKeys } from "../../lib/http/wrong_keys.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

function request(headers: Record<string, string> = {}, host = "localhost:8791"): Request {
  return new Request(`http://${host}/v1/world/session`, { headers });
}

async function tokenStatus(policy: AccessPolicy, authorization?: string): Promise<number> {
  try {
    await policy.checkToken(request(authorization === undefined ? {} : { authorization }), "127.0.0.1");
    return 200;
  } catch (error) {
    assert.ok(error instanceof SvcError);
    const response = errorResponse(error);
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
    return response.status;
  }
}

// @row world-session > Rules of every route > Loopback by the peer, never by a forwarded header
test("isLoopback() recognises this machine by name and address", () => {
  const here = [
    "localhost",
    "LOCALHOST",
    "127.0.0.1",
    "127.255.0.9",
    "::1",
    "[::1]",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
  ];
  for (const host of here) assert.equal(isLoopback(host), true, host);
  const elsewhere = [
    "",
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "128.0.0.1",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "::ffff:10.0.0.1",
    "127.0.0",
    "127.0.0.256",
    "1270.0.0.1",
  ];
  for (const host of elsewhere) assert.equal(isLoopback(host), false, host);
});

test("AccessPolicy.checkSource() without a key answers loopback names only", () => {
  const policy = new AccessPolicy({});
  for (const host of ["localhost:8791", "127.0.0.1:1", "[::1]:8791"]) {
    policy.checkSource(request({}, host), "127.0.0.1");
  }
  for (const host of ["evil.example.com", "192.168.1.4:8791", "localhost.evil.com"]) {
    assert.throws(() => policy.checkSource(request({}, host), "127.0.0.1"), { status: 403 });
  }
  assert.throws(() => policy.checkSource(request({ host: "evil.example.com" }), "127.0.0.1"), { status: 403 });
});

// @row world-session > Rules of every route > Loopback by the peer, never by a forwarded header
test("AccessPolicy.checkSource() without a key checks the peer and not forwarded headers", () => {
  const policy = new AccessPolicy({});
  policy.checkSource(request({ "x-forwarded-for": "10.0.0.1" }), "::ffff:127.0.0.1");
  assert.throws(() => policy.checkSource(request({ "x-forwarded-for": "127.0.0.1" }), "10.0.0.1"), { status: 403 });
  assert.throws(() => policy.checkSource(request(), ""), { status: 403 });
});

test("AccessPolicy.checkSource() with a key answers any host", () => {
  new AccessPolicy({ apiKey: "k" }).checkSource(request({}, "world.example.com"), "10.0.0.1");
});

test("AccessPolicy.checkSource() refuses pages of other origins", () => {
  const policy = new AccessPolicy({ allowOrigins: ["https://app.example.com"] });
  for (const origin of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:5173", "https://app.example.com"]) {
    policy.checkSource(request({ origin }), "127.0.0.1");
  }
  for (
    const origin of ["https://example.com", "null", "http://app.example.com", "https://app.example.com.evil.com", ""]
  ) {
    assert.throws(() => policy.checkSource(request({ origin }), "127.0.0.1"), { status: 403 }, origin);
  }
  new AccessPolicy({ allowOrigins: ["*"] }).checkSource(request({ origin: "null" }), "127.0.0.1");
});

// @row world-session > Authentication > Comparison in constant time, any case of the scheme, both sides trimmed
test("AccessPolicy.checkToken() accepts the key with any case of the scheme", async () => {
  const policy = new AccessPolicy({ apiKey: "  top secret " });
  for (const header of ["Bearer top secret", "bearer top secret", "BEARER   top secret  "]) {
    assert.equal(await tokenStatus(policy, header), 200, header);
  }
});

// @row world-session > Authentication > Comparison in constant time, any case of the scheme, both sides trimmed
test("AccessPolicy.checkToken() refuses everything else", async () => {
  const wrongKeys = new WrongKeys({ now: () => 0, wait: () => Promise.resolve() });
  const policy = new AccessPolicy({ apiKey: "secret", wrongKeys });
  for (
    const header of [undefined, "", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Basic secret", "secret"]
  ) {
    assert.equal(await tokenStatus(policy, header), 401, header);
  }
});

test("AccessPolicy without a key needs no token", async () => {
  assert.equal(await tokenStatus(new AccessPolicy({})), 200);
  assert.equal(await tokenStatus(new AccessPolicy({ apiKey: "  " })), 200);
});

test("AccessPolicy.checkSource() refuses what pages of other sites embed, and lets people follow links", () => {
  const embedded = request({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" });
  const policy = new AccessPolicy({});
  assert.throws(() => policy.checkSource(embedded, "127.0.0.1"), { status: 403, code: "origin_not_allowed" });
  new AccessPolicy({ allowOrigins: ["*"] }).checkSource(embedded, "127.0.0.1");
  const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  for (const headers of [link, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "same-site" }, {}]) {
    policy.checkSource(request(headers), "127.0.0.1");
  }
});
