import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiHarness, type CallInit, CHAT, refusal, withApi } from "../../support/api_harness.ts";

const KEY = "s3cret key";
const JSON_TYPE = { "content-type": "application/json" };

/** Every route with a request that it takes. */
const routes: [method: string, path: string, json?: unknown][] = [
  ["GET", "/v1/models"],
  ["GET", "/v1/models/chat-a"],
  ["POST", "/v1/chat/completions", CHAT],
  ["POST", "/v1/completions", { model: "chat-a", prompt: "x" }],
  ["POST", "/v1/responses", { model: "chat-a", input: "x" }],
  ["POST", "/tokenize", { content: "x" }],
  ["POST", "/v1/embeddings", { model: "embed", input: "x" }],
  ["POST", "/v1/rerank", { model: "rank", query: "x", documents: ["0"] }],
  ["GET", "/runtime/status"],
  ["POST", "/runtime/models/chat-a/load"],
  ["POST", "/runtime/models/chat-a/unload"],
  ["GET", "/runtime/models/chat-a/settings"],
  ["PATCH", "/runtime/models/chat-a/settings", {}],
  ["GET", "/metrics"],
  ["GET", "/openapi.json"],
];

const attempts: [what: string, headers: Record<string, string>, code: string | undefined][] = [
  ["no key", {}, "missing_api_key"],
  ["an empty header", { authorization: "" }, "invalid_api_key"],
  ["a wrong key", { authorization: "Bearer wrong" }, "invalid_api_key"],
  ["the beginning of the key", { authorization: "Bearer s3cret" }, "invalid_api_key"],
  ["the key in another case", { authorization: `Bearer ${KEY.toUpperCase()}` }, "invalid_api_key"],
  ["another scheme", { authorization: `Basic ${KEY}` }, "invalid_api_key"],
  ["the key in a header of its own", { "x-api-key": KEY, "api-key": KEY }, "missing_api_key"],
  ["the right key", { authorization: `Bearer ${KEY}` }, undefined],
  ["the scheme in another case", { authorization: `bEARER ${KEY}` }, undefined],
];

for (const [method, path, json] of routes) {
  // @row model-api > Authentication > 1: a key is wanted everywhere except for `/health` => POST · /v1/chat/completions
  // @row model-api > Authentication > 1: a key is wanted everywhere except for `/health` => GET · /metrics
  // @row model-api > Rules of every route > 401 with `WWW-Authenticate`, constant-time comparison => GET · /v1/models
  test(`with a key ${method} ${path} answers whoever has it`, () =>
    withApi({ apiKey: ` ${KEY} ` }, async (h) => {
      for (const [what, headers, code] of attempts) {
        const response = await h.call(method, path, { headers, json });
        assert.equal(response.headers.get("www-authenticate"), code === undefined ? null : "Bearer", what);
        if (code === undefined) assert.equal(response.status, 200, what);
        else assert.equal((await refusal(response, 401, code)).type, "authentication_error", what);
      }
      assert.equal((await h.call(method, `${path}?key=${KEY}&api_key=${KEY}`, { json })).status, 401);
    }));
}

test("without a key no route requires a token", () =>
  withApi({}, async (h) => {
    for (const [method, path, json] of routes) assert.equal((await h.call(method, path, { json })).status, 200, path);
  }));

// @row model-api > Rules of every route > Loopback by the peer of the socket
test("without a key only this machine is answered, under a name of its own", () =>
  withApi({}, async (h) => {
    for (const [method, path, json] of [...routes, ["GET", "/health"] as const]) {
      await refusal(await h.call(method, path, { json, peer: "192.168.1.5" }), 403, "peer_not_allowed");
      const headers = { host: "evil.example.com" };
      await refusal(await h.call(method, path, { json, headers }), 403, "host_not_allowed");
    }
  }));

// @row model-api > Rules of every route > Loopback by the peer of the socket
test("with a key other machines are answered under any name", () =>
  withApi({ apiKey: KEY }, async (h) => {
    const headers = { authorization: `Bearer ${KEY}`, host: "box.example.com" };
    for (const [method, path, json] of routes) {
      assert.equal((await h.call(method, path, { json, headers, peer: "192.168.1.5" })).status, 200, path);
    }
  }));

// @row model-api > Options > `--allow-origin`
// @row model-api > Rules of every route > Origins and preflights
test("pages of this machine and of --allow-origin may ask; others are 403, their preflight too", () =>
  withApi({ allowOrigins: ["https://app.example.com"] }, async (h) => {
    for (const origin of ["http://localhost:3000", "https://app.example.com"]) {
      const response = await h.chat({}, { headers: { origin } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
      assert.match(response.headers.get("vary") ?? "", /Origin/);
      const asks = {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-stainless-os",
      };
      const preflight = await h.call("OPTIONS", "/v1/chat/completions", { headers: asks });
      assert.equal(preflight.status, 204);
      assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /POST/);
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization, content-type.*, \*$/);
      assert.match(response.headers.get("access-control-expose-headers") ?? "", /, \*$/);
    }
    const headers = { origin: "https://evil.example.com", "access-control-request-method": "POST" };
    await refusal(await h.chat({}, { headers }), 403, "origin_not_allowed");
    await refusal(await h.call("OPTIONS", "/v1/chat/completions", { headers }), 403, "origin_not_allowed");
  }));

test("a path with a slash or /v1 too many is a 404 that names the right one", () =>
  withApi({}, async (h) => {
    const right: Record<string, string> = {
      "/v1/v1/chat/completions": "/v1/chat/completions",
      "/v1/v1/v1/embeddings": "/v1/embeddings",
      "/v1//chat//completions/": "/v1/chat/completions",
      "/v1/chat/completions/": "/v1/chat/completions",
    };
    for (const [path, meant] of Object.entries(right)) {
      const { message } = await refusal(await h.call("POST", path, { json: {} }), 404, "path_not_found");
      assert.match(message, new RegExp(`expected ${meant}: check the base URL`), path);
    }
    for (const path of ["/v1/v2/chat/completions", "/v1/chat/completions/x/", "/nothing/"]) {
      const { message } = await refusal(await h.call("POST", path, { json: {} }), 404, "path_not_found");
      assert.match(message, /has no such path$/, path);
    }
  }));

// @row model-api > Rules of every route > Unknown paths 404, other methods 405 with `Allow`
test("an unknown path is 404, a known one with another method 405 with Allow", () =>
  withApi({}, async (h) => {
    const paths = ["/", "/v1", "/v1/engines", "/v1/models/a/b", "/runtime/models//load"];
    for (const path of paths) {
      assert.equal((await refusal(await h.call("POST", path), 404, "path_not_found")).type, "not_found_error");
    }
    const cases: [string, string, string][] = [
      ["GET", "/v1/chat/completions", "POST, OPTIONS"],
      ["DELETE", "/v1/models", "GET, HEAD, OPTIONS"],
      ["POST", "/runtime/models/x/settings", "GET, HEAD, PATCH, OPTIONS"],
      ["PUT", "/health", "GET, HEAD, OPTIONS"],
    ];
    for (const [method, path, allow] of cases) {
      const response = await h.call(method, path);
      assert.equal(response.headers.get("allow"), allow);
      await refusal(response, 405, "method_not_allowed");
    }
  }));

test("HEAD answers as GET without a body", () =>
  withApi({}, async (h) => {
    for (const path of ["/health", "/v1/models", "/runtime/status", "/metrics"]) {
      const response = await h.call("HEAD", path);
      assert.deepEqual([response.status, await response.text()], [200, ""]);
    }
  }));

// @row model-api > Rules of every route > `x-request-id` on every answer and in the log
test("every answer has an id of its own, also a refused one, and is logged", () =>
  withApi({}, async (h) => {
    const ids: (string | null)[] = [];
    for (const [method, path] of [["GET", "/health"], ["GET", "/nowhere"], ["POST", "/v1/embeddings"]]) {
      const response = await h.call(method, path);
      ids.push(response.headers.get("x-request-id"));
      assert.equal(response.headers.get("cache-control"), "no-store");
    }
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(h.answers.map(({ requestId }) => requestId), ids);
    assert.deepEqual(h.answers.map(({ status, route }) => [status, route]), [
      [200, "/health"],
      [404, undefined],
      [415, "/v1/embeddings"],
    ]);
  }));

interface Fault {
  readonly code: string;
  readonly wrong: (asked: CallInit & { path: string; method: string }) => CallInit & { path: string; method: string };
}

const LONG = new Uint8Array(10 * 2 ** 20 + 1).fill(32);
const faults: Fault[] = [
  { code: "path_not_found", wrong: (asked) => ({ ...asked, path: `${asked.path}/x/y` }) },
  { code: "method_not_allowed", wrong: (asked) => ({ ...asked, method: "PUT" }) },
  { code: "host_not_allowed", wrong: header("host", "evil.example.com") },
  { code: "peer_not_allowed", wrong: (asked) => ({ ...asked, peer: "10.0.0.1" }) },
  { code: "origin_not_allowed", wrong: header("origin", "https://evil.example.com") },
  { code: "invalid_api_key", wrong: header("authorization", "Bearer no") },
  { code: "unsupported_content_type", wrong: header("content-type", "text/plain") },
  { code: "rate_limit_exceeded", wrong: (asked) => asked },
  { code: "body_too_large", wrong: (asked) => ({ ...asked, json: undefined, body: LONG }) },
  { code: "invalid_json", wrong: (asked) => ({ ...asked, json: undefined, body: "{" }) },
];

function header(name: string, value: string): Fault["wrong"] {
  return (asked) => ({ ...asked, headers: { ...asked.headers, [name]: value } });
}

/** Sends a request with two faults and gives the code of the error. */
async function codeOf(first: Fault, second: Fault, path: string, json: unknown): Promise<string> {
  const keyed = [first, second].some(({ code }) => code === "invalid_api_key");
  const limited = [first, second].some(({ code }) => code === "rate_limit_exceeded");
  let code = "";
  await withApi({ ...(keyed && { apiKey: KEY }), rateLimitPerMinute: 1 }, async (h: ApiHarness) => {
    if (limited) await h.call("POST", path, { json, headers: keyed ? { authorization: `Bearer ${KEY}` } : {} });
    const { method, path: at, ...init } = first.wrong(second.wrong({ method: "POST", path, json, headers: JSON_TYPE }));
    code = (await (await h.call(method, at, init)).json()).error.code;
  });
  return code;
}

for (const [, path, json] of routes.filter(([method, , json]) => method === "POST" && json !== undefined)) {
  // @row model-api > Rules of every route > Order of checks => /v1/chat/completions
  // @row model-api > Rules of every route > Order of checks => /v1/embeddings
  // @row model-api > Rules of every route > Order of checks => /v1/rerank
  test(`${path} checks path, source, token, type, rate, size and JSON in this order`, async () => {
    for (const [i, first] of faults.entries()) {
      for (const second of faults.slice(i + 1)) {
        const sources = ["host_not_allowed", "peer_not_allowed"];
        // With a key there is nothing wrong with other machines.
        if (second.code === "invalid_api_key" && sources.includes(first.code)) continue;
        // A body cannot be too large and no JSON by way of one value.
        if (first.code === "body_too_large") continue;
        assert.equal(await codeOf(first, second, path, json), first.code, `${first.code} before ${second.code}`);
      }
    }
  });
}

// @row model-api > Limits > bodies 10 MiB, settings 1 MiB
// @row model-api > Rules of the model API > 413 with the limit
test("bodies: 10 MiB at most for models, with the limit in the message", () =>
  withApi({}, async (h) => {
    const padded = (size: number) => JSON.stringify(CHAT) + " ".repeat(size - JSON.stringify(CHAT).length);
    const ask = (size: number) => h.call("POST", "/v1/chat/completions", { headers: JSON_TYPE, body: padded(size) });
    assert.equal((await ask(10 * 2 ** 20)).status, 200);
    const { message } = await refusal(await ask(10 * 2 ** 20 + 1), 413, "body_too_large");
    assert.match(message, /10485760 bytes/);
  }));

// @row model-api > Endpoints > JSON routes require a JSON content type
// @row model-api > Errors > wrong content type: refused before the body is read
test("bodies: any JSON type will do, others and none are 415 before anything is read", () =>
  withApi({}, async (h) => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/x+json"]) {
      const headers = { "content-type": type };
      const response = await h.call("POST", "/v1/chat/completions", { headers, body: JSON.stringify(CHAT) });
      assert.equal(response.status, 200, type);
    }
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      let read = false;
      const body = new ReadableStream({ pull: () => void (read = true) }, { highWaterMark: 0 });
      const init = { method: "POST", headers: { "content-type": type }, body, duplex: "half" };
      const response = await h.app(new Request("http://localhost/v1/embeddings", init as RequestInit), "127.0.0.1");
      await refusal(response, 415, "unsupported_content_type");
      assert.equal(read, false);
    }
  }));

// @row model-api > Rules of every route > Broken bodies are 400
test("bodies that are not a JSON object are 400, whatever they are", () =>
  withApi({}, async (h) => {
    for (const path of ["/v1/chat/completions", "/v1/embeddings", "/v1/rerank"]) {
      for (const body of ["", "{", "[]", "null", "7", '"x"', "\u0000", "[".repeat(100_000), '{"a":1,}']) {
        await refusal(await h.call("POST", path, { headers: JSON_TYPE, body }), 400, "invalid_json");
      }
      const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
      await refusal(await h.call("POST", path, { headers: JSON_TYPE, body: bytes }), 400, "invalid_json");
      const twice = '{"model":"a","model":"b"}';
      await refusal(await h.call("POST", path, { headers: JSON_TYPE, body: twice }), 400, "duplicate_field");
    }
    assert.equal(h.errors.length, 0);
  }));
