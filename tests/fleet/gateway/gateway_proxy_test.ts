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

const pass = (view: FleetView, body = "{}", headers: Record<string, string> = {}): Promise<Response> => {
  const addresses = new WorkerAddresses({ rules: [], isLocal: true, ownPort: () => undefined });
  const request = new Request("http://127.0.0.1/v1/world/session", { method: "POST", body, headers });
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
