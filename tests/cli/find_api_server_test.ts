import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_API_URL } from "../../cli/model_api/api_client.ts";
import { findApiServer, startInstead } from "../../cli/model_api/find_api_server.ts";
import { PermitsRefusedError } from "../../lib/errors/option_error.ts";
import type { RunningServer } from "../../lib/app/running_servers.ts";

/** What listens at an address: models, a server that requires a key, or another program. */
type Listener = readonly string[] | "locked" | "other";

const A = "http://127.0.0.1:9001";
const B = "http://127.0.0.1:9002";

/** Finds a server with the model m where these listen, of which all but the usual one have left their address. */
function find(listeners: Record<string, Listener>, more: { url?: string; apiKey?: string; unnamed?: boolean } = {}) {
  const noted = Object.keys(listeners).filter((url) => url !== DEFAULT_API_URL);
  const running: RunningServer[] = [...noted, ...more.unnamed ? [undefined] : []].map((url) => ({
    ...{ kind: "api", url, pid: 7, model: undefined, version: "1", instance: "i" },
  }));
  const fetch = (request: Request): Promise<Response> => {
    const listener = listeners[new URL(request.url).origin];
    if (listener === undefined) return Promise.reject(new TypeError("refused"));
    if (listener === "other") return Promise.resolve(new Response("hello"));
    if (listener === "locked" && request.headers.get("authorization") !== "Bearer right") {
      return Promise.resolve(Response.json({ error: { message: "no", code: "missing_api_key" } }, { status: 401 }));
    }
    const ids = listener === "locked" ? ["m"] : listener;
    return Promise.resolve(Response.json({ data: ids.map((id) => ({ id, owned_by: "svc" })) }));
  };
  const options = { url: more.url, apiKey: more.apiKey, fetch, running: () => Promise.resolve(running) };
  return findApiServer(options, ({ id }) => id === "m");
}

const urlOf = async (found: ReturnType<typeof find>) => (await found).client?.url;

test("findApiServer() finds the only server that has the model, wherever it listens", async () => {
  assert.equal(await urlOf(find({ [A]: ["m"] })), A);
  assert.equal(await urlOf(find({ [A]: ["x"], [B]: ["x", "m"] })), B);
  assert.equal(await urlOf(find({ [DEFAULT_API_URL]: "other", [B]: ["m"] })), B);
  assert.equal(await urlOf(find({ [DEFAULT_API_URL]: ["x"], [B]: ["m"] })), B);
  assert.equal(await urlOf(find({ [A]: "locked", [B]: ["m"] })), B);
  assert.equal(await urlOf(find({ [A]: "locked" }, { apiKey: "right" })), A);
});

test("findApiServer() prefers what was named, then the usual address", async () => {
  assert.equal(await urlOf(find({ [A]: ["m"] }, { url: "http://10.0.0.1:1" })), "http://10.0.0.1:1");
  assert.equal(await urlOf(find({ [A]: ["m"], [DEFAULT_API_URL]: ["m"] })), DEFAULT_API_URL);
});

test("findApiServer() says at once which server to name, or that one requires a key", async () => {
  await assert.rejects(find({ [A]: ["m"], [B]: ["m"] }), {
    name: "UsageError",
    message: `Cannot choose a server: ${A} and ${B} have the model, name one with --url`,
  });
  for (const apiKey of [undefined, "wrong"]) {
    await assert.rejects(find({ [A]: "locked", [B]: ["x"] }, { ...apiKey && { apiKey } }), {
      code: "missing_api_key",
      message: `Cannot use the server at ${A}: it requires a key, set --api-key or SVC_API_KEY`,
    });
  }
});

test("findApiServer() says why no server can be used, which a refused start then reports", async () => {
  assert.deepEqual(await find({}), { client: undefined, others: "" });
  const { others } = await find({ [A]: ["x"] }, { unnamed: true }) as { others: string };
  assert.equal(
    others,
    `the server at ${A} does not have the model, the server of process 7 listens on no loopback address, name it with --url`,
  );
  const refuse = () => Promise.reject(new PermitsRefusedError("Cannot start chat: api serve (process 7) runs"));
  await assert.rejects(startInstead(others, refuse), {
    name: "PermitsRefusedError",
    message: `Cannot start chat: api serve (process 7) runs; ${others}; end it`,
  });
  await assert.rejects(startInstead("", refuse), { message: /; end it, or name another server with --url$/ });
  await assert.rejects(startInstead("", () => Promise.reject(new Error("no"))), { message: "no" });
});
