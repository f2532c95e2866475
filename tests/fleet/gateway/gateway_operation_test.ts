import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Gateway, startGateway } from "../../../fleet/gateway/start_gateway.ts";
import { errorResponse } from "../../../lib/http/router.ts";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { notFound } from "../../../lib/errors/svc_error.ts";
import { listen } from "../../../lib/platform/sockets/listen.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const KEY = "the key of the clients";
const WORLD = "00000000-0000-4000-8000-00000000000a";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

let nats: NatsServer;
let broker: NatsBroker;
let gateway: Gateway;
let worker: Awaited<ReturnType<typeof listen>>;
const passed: Headers[] = [];
const logged: Record<string, unknown>[] = [];

/** Made when the first test runs: hooks of many files run before that, and a record of a worker ends with its lease. */
let made: Promise<void> | undefined;
const opened = (): Promise<void> => made ??= open();

async function open(): Promise<void> {
  nats = await startNats();
  broker = await connectBroker({ servers: nats.url, name: "test" });
  worker = await listen((request) => {
    passed.push(request.headers);
    const { pathname } = new URL(request.url);
    return Promise.resolve(
      pathname.endsWith("/nothing")
        ? errorResponse(notFound("path_not_found", `Cannot find ${pathname}: this server has no such path`))
        : Response.json({}),
    );
  }, { host: "127.0.0.1", port: 0 });
  const common = { epoch: "e", url: worker.url };
  const state = { pool: "default", fingerprint: "f", slots: 4, used: 1, draining: false, version: "1" };
  await broker.workers.create("one", { ...common, ...state });
  const session = { pool: "default", tenant: "t", created_at: "2026-01-01T00:00:00.000Z", generation: 1, since: 1 };
  const owner = { worker: "one", ...common, fence: 1 };
  await broker.sessions.create(WORLD, { ...session, phase: "ready", owner });
  gateway = await startGateway({
    broker: { servers: nats.url },
    host: "127.0.0.1",
    port: 0,
    apiKey: KEY,
    allowOrigins: [],
    poolKey: "the key of the pool",
    pool: "default",
    maxWorlds: 10,
    lineLength: 10,
    log: (_level, event, detail) => logged.push({ event, ...detail }),
  });
}

after(async () => {
  await gateway?.close();
  await worker?.close(100);
  await broker?.close();
  await nats?.stop();
});

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  await opened();
  return await fetch(gateway.url + path, { headers: { authorization: `Bearer ${KEY}`, ...headers } });
}

test("a path that there is not is refused as it was asked for, and opens no world", options, async () => {
  const asked = `/worlds/${WORLD.toUpperCase()}/v1/world/nothing`;
  const answer = await get(asked);
  const message = (path: string) => `Cannot find ${path}: this server has no such path`;
  assert.deepEqual([answer.status, (await answer.json()).error.message], [404, message(asked)]);
  const before = passed.length;
  for (const path of ["/v1/nothing", "/worlds", `/worlds/${WORLD}`, "/v2/world/session", "/worlds/x/v1/worldly"]) {
    const refused = await get(path);
    assert.deepEqual([refused.status, (await refused.json()).error.message], [404, message(path)]);
  }
  assert.equal(passed.length, before);
  assert.equal((await (await get("/v1/worlds")).json()).data.length, 1);
});

test("a path of replacement patterns is returned once, and unchanged", options, async () => {
  const asked = `/worlds/${WORLD.toUpperCase()}/v1/${"$&$`$'$$".repeat(400)}`;
  const answer = await get(asked);
  const text = await answer.text();
  assert.equal(answer.status, 404);
  assert.ok(text.length < 2 * asked.length + 200, `${text.length} bytes for a path of ${asked.length}`);
  assert.ok(JSON.parse(text).error.message.includes("$&$`$'$$".repeat(400)));
});

test("a gateway asks a worker for the health of a world, which clients begin with", options, async () => {
  const before = passed.length;
  await (await get(`/worlds/${WORLD}/health`)).body?.cancel();
  assert.equal(passed.length, before + 1);
});

test("a gateway passes a trace on as its next step, and logs it", options, async () => {
  const path = `/worlds/${WORLD}/v1/world/session`;
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  await (await get(path, { traceparent, tracestate: "v=1" })).body?.cancel();
  assert.match(passed.at(-1)!.get("traceparent")!, new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`));
  assert.equal(passed.at(-1)!.get("tracestate"), "v=1");
  assert.equal(passed.at(-1)!.get("authorization"), "Bearer the key of the pool");
  const { event, trace_id, status } = logged.at(-1)!;
  assert.deepEqual({ event, trace_id, status }, { event: "request", trace_id: TRACE, status: 200 });
  await (await get(path, { traceparent: `00-${TRACE}-${SPAN}-01-x`, tracestate: "v=1" })).body?.cancel();
  assert.match(passed.at(-1)!.get("traceparent")!, new RegExp(`^00-(?!${TRACE})[0-9a-f]{32}-[0-9a-f]{16}-00$`));
  assert.equal(passed.at(-1)!.get("tracestate"), null, "the state of a broken trace is not passed on");
  assert.equal(logged.at(-1)!["trace_id"], undefined);
});

test("a gateway says what its fleet has, to those who have the key", options, async () => {
  await opened();
  const refused = await fetch(`${gateway.url}/metrics`);
  await refused.body?.cancel();
  assert.equal(refused.status, 401);
  const text = await (await get("/metrics")).text();
  for (
    const sample of [
      'svc_fleet_worlds{phase="ready"} 1',
      "svc_fleet_slots 4",
      "svc_fleet_slots_used 1",
      'svc_http_requests_total{method="GET",route="/metrics",status="401"} 1',
    ]
  ) assert.ok(text.includes(`\n${sample}\n`), sample);
  const ready = await fetch(`${gateway.url}/ready`);
  assert.deepEqual([ready.status, await ready.json()], [200, { object: "readiness", ready: true }]);
});
