import assert from "node:assert/strict";
import { test } from "node:test";
import { description } from "../../support/api_description.ts";
import { errorOf, worldHarness } from "../../support/world_harness.ts";

const ID = "00000000-0000-4000-8000-000000000000";
const KEY = "s3cret key";

/** What a client sends for a token, and the error it gets for it; none when it may pass. */
const attempts: [what: string, headers: Record<string, string>, code: string | undefined][] = [
  ["no key", {}, "missing_api_key"],
  ["an empty header", { authorization: "" }, "invalid_api_key"],
  ["no token", { authorization: "Bearer" }, "invalid_api_key"],
  ["a wrong key", { authorization: "Bearer wrong" }, "invalid_api_key"],
  ["the beginning of the key", { authorization: "Bearer s3cret" }, "invalid_api_key"],
  ["more than the key", { authorization: `Bearer ${KEY}s` }, "invalid_api_key"],
  ["the key in another case", { authorization: `Bearer ${KEY.toUpperCase()}` }, "invalid_api_key"],
  ["another scheme", { authorization: `Basic ${KEY}` }, "invalid_api_key"],
  ["the key alone", { authorization: KEY }, "invalid_api_key"],
  ["the key in a header of its own", { "x-api-key": KEY }, "missing_api_key"],
  ["the key as a cookie", { cookie: `key=${KEY}` }, "missing_api_key"],
  ["the right key", { authorization: `Bearer ${KEY}` }, undefined],
  ["a lower-case scheme", { authorization: `bearer ${KEY}` }, undefined],
  ["an upper-case scheme", { authorization: `BEARER ${KEY}` }, undefined],
];

const routes = Object.entries(description["paths"]).flatMap(([path, item]) =>
  ["get", "head", "post", "delete"].filter((method) => method in item).map((method) => ({
    method: method.toUpperCase(),
    path: path.replace("{id}", ID).replace("{index}", "0"),
  }))
);
const open = ["/", "/page.js", "/page.css", "/page.svg", "/health", "/ready"];

test("there are routes to ask", () => assert.ok(routes.length > 30));

for (const { method, path } of routes) {
  // @row world-session > Authentication > Every request needs the bearer token => GET · /v1/world/session
  // @row world-session > Authentication > `/health` never => GET · /health · everyone
  // @row world-session > Errors > The error object, for every status => GET · /v1/world/session
  // @row world-session > Errors > 401 with `WWW-Authenticate` => GET · /v1/world/session
  test(`${method} ${path} with a key answers ${open.includes(path) ? "everyone" : "whoever has it"}`, async () => {
    const h = await worldHarness({ apiKey: ` ${KEY} `, page: { html: "h", script: "s", style: "c", icon: "i" } });
    try {
      for (const [what, headers, code] of attempts) {
        const response = await h.call(method, path, { headers });
        const refused = code !== undefined && !open.includes(path);
        assert.equal(response.status === 401, refused, what);
        assert.equal(response.headers.get("www-authenticate"), refused ? "Bearer" : null, what);
        if (refused && method !== "HEAD") assert.equal((await errorOf(response)).code, code, what);
        else await response.body?.cancel();
      }
      assert.equal((await h.call(method, `${path}?key=${KEY}&api_key=${KEY}`)).status === 401, !open.includes(path));
    } finally {
      h.stop();
      await h.close();
    }
  });
}

// @row world-session > Authentication > Every request needs the bearer token
test("without a key no route requires a token", async () => {
  const h = await worldHarness({ page: { html: "h", script: "s", style: "c", icon: "i" } });
  try {
    for (const { method, path } of routes) {
      const response = await h.call(method, path, { headers: { authorization: "Bearer whatever" } });
      assert.notEqual(response.status, 401, path);
      await response.body?.cancel();
    }
  } finally {
    h.stop();
    await h.close();
  }
});
