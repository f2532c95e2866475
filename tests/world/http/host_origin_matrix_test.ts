import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, worldHarness } from "../../support/world_harness.ts";

const AT = "/v1/world/session";
const EVIL = "https://evil.example.com";

type Row = readonly [
  what: string,
  headers: Record<string, string>,
  peer: string,
  code: string | undefined,
  cors: boolean,
];

const keyless: Row[] = [
  ["this machine", {}, "127.0.0.1", undefined, false],
  ["this machine by IPv6", { host: "[::1]:8791" }, "::1", undefined, false],
  ["this machine by its mapped address", { host: "localhost" }, "::ffff:127.0.0.1", undefined, false],
  ["a page of this machine", { origin: "http://localhost:3000" }, "127.0.0.1", undefined, true],
  ["a page of an allowed origin", { origin: "https://app.example.com" }, "127.0.0.1", undefined, true],
  ["a page elsewhere", { origin: EVIL }, "127.0.0.1", "origin_not_allowed", false],
  ["a page without origin", { origin: "null" }, "127.0.0.1", "origin_not_allowed", false],
  [
    "a page of an allowed origin on another port",
    { origin: "https://app.example.com:1" },
    "127.0.0.1",
    "origin_not_allowed",
    false,
  ],
  ["a name that was rebound", { host: "evil.example.com" }, "127.0.0.1", "host_not_allowed", false],
  [
    "a page of a name that was rebound",
    { host: "evil.example.com", origin: "http://evil.example.com" },
    "127.0.0.1",
    "host_not_allowed",
    false,
  ],
  ["the address of the network", { host: "192.168.1.4:8791" }, "127.0.0.1", "host_not_allowed", false],
  ["an invalid host", { host: "a b" }, "127.0.0.1", "host_not_allowed", false],
  ["another machine", {}, "192.168.1.5", "peer_not_allowed", false],
  [
    "another machine that pretends",
    { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" },
    "192.168.1.5",
    "peer_not_allowed",
    false,
  ],
];
const keyed: Row[] = [
  ["another machine", { host: "192.168.1.4:8791" }, "192.168.1.5", undefined, false],
  ["a name of the network", { host: "world.example.com" }, "192.168.1.5", undefined, false],
  [
    "the server's own page",
    { host: "192.168.1.4:8791", origin: "http://192.168.1.4:8791" },
    "192.168.1.5",
    undefined,
    false,
  ],
  [
    "the server's own page behind TLS",
    { host: "world.example.com", origin: "https://world.example.com" },
    "10.0.0.2",
    undefined,
    false,
  ],
  [
    "a page of another port of the server",
    { host: "192.168.1.4:8791", origin: "http://192.168.1.4:80" },
    "192.168.1.5",
    "origin_not_allowed",
    false,
  ],
  ["a page elsewhere", { host: "192.168.1.4:8791", origin: EVIL }, "192.168.1.5", "origin_not_allowed", false],
  [
    "a page of an allowed origin",
    { host: "192.168.1.4:8791", origin: "https://app.example.com" },
    "192.168.1.5",
    undefined,
    true,
  ],
];

for (const [apiKey, rows] of [[undefined, keyless], ["key", keyed]] as const) {
  for (const [what, headers, peer, code, cors] of rows) {
    for (const path of [AT, "/health"]) {
      // @row world-session > Errors > 403 host, origin, path => without · refuses · a name that was rebound · /v1/world/session
      // @row world-session > Errors > 403 host, origin, path => without · refuses · a page elsewhere · /v1/world/session
      // @row world-session > Rules of every route > Loopback by the peer, never by a forwarded header => without · refuses · another machine that pretends · /v1/world/session
      // @row world-session > Rules of every route > Host check against rebinding => without · refuses · a name that was rebound · /v1/world/session
      // @row world-session > Rules of every route > CORS, `Vary`, 403 of other origins => without · answers · a page of this machine · /v1/world/session
      test(`a server ${apiKey ? "with" : "without"} a key ${code ? "refuses" : "answers"} ${what} at ${path}`, async () => {
        const h = await worldHarness({ allowOrigins: ["https://app.example.com"], ...(apiKey && { apiKey }) });
        try {
          const token: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
          const response = await h.call("GET", path, { headers: { ...headers, ...token }, peer });
          assert.equal(response.status, code ? 403 : 200);
          if (code) assert.equal((await errorOf(response)).code, code);
          assert.equal(response.headers.get("access-control-allow-origin"), cors ? headers["origin"] : null);
          assert.equal(response.headers.get("vary"), "Origin");
          assert.equal(response.headers.get("access-control-allow-credentials"), null);
        } finally {
          await h.close();
        }
      });
    }
  }
}

// @row world-session > Rules of every route > CORS, `Vary`, 403 of other origins
test("a server with --allow-origin * answers pages of every origin, and echoes it", async () => {
  const h = await worldHarness({ allowOrigins: ["*"] });
  try {
    for (const origin of [EVIL, "null"]) {
      const response = await h.call("GET", AT, { headers: { origin } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
    }
  } finally {
    await h.close();
  }
});

test("a page may read the headers of answers and send those that resume and fetch in parts", async () => {
  const h = await worldHarness();
  try {
    const headers = { origin: "http://localhost:3000", "access-control-request-method": "GET" };
    const preflight = await h.call("OPTIONS", "/v1/world/events", { headers });
    assert.equal(preflight.status, 204);
    const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
    for (const name of ["authorization", "content-type", "last-event-id", "range"]) assert.ok(allowed?.includes(name));
    const answer = await h.call("GET", AT, { headers: { origin: headers.origin } });
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
    for (const name of ["location", "etag", "content-range", "retry-after", "x-request-id"]) {
      assert.ok(exposed?.includes(name), name);
    }
  } finally {
    await h.close();
  }
});
