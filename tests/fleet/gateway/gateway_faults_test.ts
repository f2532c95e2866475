import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { leaseLog } from "../../../fleet/worker/worker_reports.ts";
import { fleetClock } from "../../../fleet/nats/connect_fleet.ts";
import { type Gateway, startGateway } from "../../../fleet/gateway/start_gateway.ts";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { hasNoRoom } from "../../../fleet/nats/broker_trouble.ts";
import { BrokerRefusal } from "../../../fleet/protocol/broker.ts";
import { WorkerLease } from "../../../fleet/protocol/worker_lease.ts";
import { type ConfiguredNats, startConfiguredNats } from "../../support/configured_nats.ts";
import { withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const MB = 1024 * 1024;
const never = new AbortController().signal;

let nats: ConfiguredNats;
let broker: NatsBroker;
let gateway: Gateway;
const logged: Record<string, unknown>[] = [];
const log = (_level: string, event: string, detail = {}): void => void logged.push({ event, ...detail });

before(async () => {
  if (withoutNats) return;
  nats = await startConfiguredNats((port, store) =>
    `listen: 127.0.0.1:${port}\njetstream { store_dir: "${store}", max_file_store: ${2 * MB} }\n`
  );
  const servers = `nats://127.0.0.1:${nats.port}`;
  broker = await connectBroker({ servers, name: "test", layout: { lease: 1000, lineLength: 6 } });
  gateway = await startGateway({
    broker: { servers },
    host: "127.0.0.1",
    port: 0,
    allowOrigins: [],
    pool: "default",
    maxWorlds: 100,
    lineLength: 10,
    log,
  });
});

after(async () => {
  await gateway?.close();
  await broker?.close();
  await nats?.stop();
});

const open = (wait: number, more: Record<string, string> = {}, signal = never): Promise<Response> =>
  fetch(`${gateway.url}/v1/worlds`, { method: "POST", headers: { prefer: `wait=${wait}`, ...more }, signal });
const worlds = async (): Promise<string[]> => {
  const { data } = await (await fetch(`${gateway.url}/v1/worlds`)).json();
  return data.map(({ world_id }: { world_id: string }) => world_id);
};
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test("a full queue refuses with a time, and accepts worlds again when one has left it", options, async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, (_, i) => open(0, { "idempotency-key": `line-${i}` })));
  const refused = asked.filter(({ status }) => status === 429);
  assert.equal(refused.length, 14);
  for (const answer of refused) {
    assert.equal(answer.headers.get("retry-after"), "30");
    assert.equal((await answer.json()).error.code, "waiting_line_full");
  }
  const kept = await Promise.all(asked.filter(({ status }) => status === 202).map((answer) => answer.json()));
  const look = async ({ world_id }: { world_id: string }) =>
    (await (await fetch(`${gateway.url}/v1/worlds/${world_id}`)).json()).queue_position;
  assert.deepEqual((await Promise.all(kept.map(look))).toSorted(), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual((await worlds()).toSorted(), kept.map(({ world_id }) => world_id).toSorted());
  const again = await open(0, { "idempotency-key": `line-${asked.findIndex(({ status }) => status === 202)}` });
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [202, "true"], "it is in the line once");
  const remove = async (id: string) =>
    await (await fetch(`${gateway.url}/v1/worlds/${id}`, { method: "DELETE" })).json();
  for (const { world_id } of kept.slice(0, 2)) await remove(world_id);
  const fresh: number[] = [];
  for (let i = 0; i < 4; i++) fresh.push((await open(0)).status);
  assert.deepEqual(fresh, [202, 202, 429, 429], "the tickets of both are still there, as no worker has taken them");
  for (const id of await worlds()) await remove(id);
});

test("a world is removed when its client disconnects before it receives the id", options, async () => {
  for (const [key, left] of [[undefined, 0], ["asked-again", 1]] as const) {
    const client = new AbortController();
    const asked = open(10, key === undefined ? {} : { "idempotency-key": key }, client.signal).catch(() => "gone");
    await until(async () => (await worlds()).length === 1);
    const [id] = await worlds();
    client.abort();
    assert.equal(await asked, "gone");
    if (left === 0) await until(async () => (await worlds()).length === 0);
    else {
      const again = await open(0, { "idempotency-key": key! });
      assert.deepEqual([again.status, (await again.json()).world_id], [202, id]);
      const removed = await fetch(`${gateway.url}/v1/worlds/${id}`, { method: "DELETE" });
      assert.deepEqual([removed.status, (await removed.json()).world_id], [200, id]);
    }
  }
});

test("a full broker is named, and everything continues once it has space", options, async (t) => {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const record = { epoch: "e", url: "http://127.0.0.1:1", pool: "other", fingerprint: "f", slots: 1, used: 0 };
  const lease = new WorkerLease({
    workers: broker.workers,
    clock: fleetClock(),
    worker: "one",
    lease: broker.lease,
    record: () => ({ ...record, draining: false, version: "1" }),
    onRenewal: leaseLog(log),
  });
  await lease.register();
  const kept = lease.keep(stop.signal);
  const fill = async (): Promise<never> => {
    for (let sequence = 0, i = 0;; i++) {
      sequence = await broker.journals.append("fill", new Uint8Array(MB / 4), sequence, `${i}`);
    }
  };
  const failure = await fill().catch((error) => error);
  assert.ok(hasNoRoom(failure) && !(failure instanceof BrokerRefusal), `${failure}`);
  const refused = await open(0);
  const { error } = await refused.json();
  assert.deepEqual([refused.status, error.code, refused.headers.get("retry-after")], [503, "fleet_unavailable", "5"]);
  assert.match(error.message, /^Cannot answer now, try again later: the NATS server has no room left: free space/);
  assert.ok(logged.some(({ event, error }) => event === "request_failed" && hasNoRoom(error)));
  const ofLease = (): unknown[] =>
    logged.filter(({ event }) => /^lease_/.test(String(event))).map(({ event, reason }) => reason ?? event);
  const noRoom = "the NATS server has no room left: free space on its disk, or raise its max_file_store";
  await until(() => ofLease().includes(noRoom));
  assert.deepEqual(await worlds(), [], "none whose id its client did not receive");
  await until(() => !lease.isSound);
  await broker.journals.purge("fill");
  await until(() => lease.isSound);
  assert.equal(ofLease().at(-1), "lease_renewed");
  assert.ok(ofLease().every((line, i, all) => line !== all[i - 1]), "each once, and not every time");
  assert.equal((await open(0)).status, 202);
  stop.abort();
  await kept;
});

test("a broker that has lost everything is named; set up again, it is a fleet without worlds", options, async () => {
  const before = await (await open(0)).json();
  const connection = await connect({ port: nats.port });
  const manager = await jetstreamManager(connection);
  for (const { config } of await manager.streams.list().next()) await manager.streams.delete(config.name);
  await connection.close();
  const refused = await open(0);
  const { error } = await refused.json();
  assert.deepEqual([refused.status, error.code], [503, "fleet_unavailable"]);
  assert.match(
    error.message,
    /: no stream of the fleet answers at the NATS server: where it was emptied, run svc cluster/,
  );
  await (await connectBroker({ servers: `nats://127.0.0.1:${nats.port}`, name: "operator" })).close();
  await until(async () => (await worlds()).length === 0);
  assert.equal((await fetch(`${gateway.url}/v1/worlds/${before.world_id}`)).status, 404);
  const opened = await open(0);
  assert.deepEqual([opened.status, await worlds()], [202, [(await opened.json()).world_id]]);
});
