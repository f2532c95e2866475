import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { GatewayProxy } from "../../../fleet/gateway/gateway_proxy.ts";
import { WorkerAddresses } from "../../../fleet/gateway/worker_addresses.ts";
import { fleetClock } from "../../../fleet/nats/connect_fleet.ts";
import type { SessionRecord } from "../../../fleet/protocol/broker.ts";
import type { FleetView } from "../../../fleet/protocol/fleet_view.ts";
import type { RouteCall } from "../../../lib/http/router.ts";
import { freePort } from "../../support/nats_server.ts";
import { waitingSession } from "../../support/fleet_records.ts";

/** A view of one world, whose owner is the next address each time that it is waited for. */
function worldAt(urls: string[]): FleetView {
  const record = (): SessionRecord => ({
    ...waitingSession,
    phase: "ready",
    generation: urls.length,
    owner: { worker: "one", epoch: "e", fence: 1, url: urls[0] },
  });
  const entry = () => ({ value: record(), revision: 1 });
  return {
    session: entry,
    find: () => Promise.resolve(entry()),
    onChange: () => () => {},
    changed: () => Promise.resolve(void (urls.length > 1 && urls.shift())),
  } as unknown as FleetView;
}

const pass = (view: FleetView, body = "{}", headers: Record<string, string> = {}): Promise<Response> =>
  send(view, { method: "POST", body, headers });

const send = (view: FleetView, init: RequestInit): Promise<Response> => {
  const addresses = new WorkerAddresses({ rules: [], isLocal: true, ownPort: () => undefined });
  const request = new Request("http://127.0.0.1/v1/world/session", init);
  const call = { request, peer: "127.0.0.1", newId: () => "id", part: () => "" } as unknown as RouteCall;
  return new GatewayProxy({ view, clock: fleetClock(), addresses }).pass(call, { world: "w", path: "/x" });
};

test("a body is sent again only if nothing was started, or with the same key", async () => {
  const seen: { key: unknown; body: string }[] = [];
  const plans: ("break" | "moved" | "answer")[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => body += part);
    request.on("end", () => {
      seen.push({ key: request.headers["idempotency-key"], body });
      const plan = plans.shift();
      if (plan === "break") response.destroy(); // it may have begun
      else response.writeHead(plan === "moved" ? 421 : 200, { "content-length": 2 }).end("{}");
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const gone = `http://127.0.0.1:${await freePort()}`;
    plans.push("answer");
    assert.equal((await pass(worldAt([gone, here]))).status, 200);
    assert.equal(seen.length, 1, "nobody listened at the first");
    for (const [plan, given] of [["break", undefined], ["break", "mine"], ["moved", "mine"]] as const) {
      seen.length = 0;
      plans.push(plan, "answer");
      const headers = given === undefined ? {} : { "idempotency-key": given };
      assert.equal((await pass(worldAt([here]), `{"a":1}`, headers)).status, 200);
      const [first, second] = seen;
      assert.equal(seen.length, 2, plan);
      assert.deepEqual(second, first);
      assert.match(String(first.key), given === undefined ? /^[0-9a-f-]{36}$/ : /^mine$/);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a request that waits for a change follows its world, and ends when its client disconnects", async (t) => {
  const held: { prefer: unknown; tag: unknown; ended: Promise<void> }[] = [];
  let onHeld = (): void => {};
  const holding = createServer((request, response) => {
    const ended = new Promise<void>((resolve) => response.once("close", resolve));
    held.push({ prefer: request.headers.prefer, tag: request.headers["if-none-match"], ended });
    onHeld();
  });
  const answering = createServer((_request, response) => response.end(`{"by":"the next"}`));
  const urls: string[] = [];
  for (const server of [holding, answering]) {
    t.after(() => (server.closeAllConnections(), server.close()));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  let moves = (): void => {};
  const view = { ...worldAt(urls), onChange: (_world: string, look: () => void) => (moves = look, () => {}) };
  const headers = { prefer: "wait=10", "if-none-match": `"4"` };

  const client = new AbortController();
  onHeld = () => client.abort();
  await assert.rejects(send(view as FleetView, { headers, signal: client.signal }));
  await held[0].ended;

  onHeld = () => (urls.shift(), moves());
  const answer = await send(view as FleetView, { headers });
  assert.deepEqual([answer.status, await answer.json()], [200, { by: "the next" }]);
  await held[1].ended;
  assert.deepEqual(held.map(({ prefer, tag }) => [prefer, tag]), Array(2).fill(["wait=10", `"4"`]));
});
