import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { waitingSession as record } from "../../support/fleet_records.ts";
import { checkBlobStore } from "../files/store_contract.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";
import { fleetClock } from "../../../fleet/nats/connect_fleet.ts";
import { runSchedule, type Schedule, type Stage } from "../simulation/schedule.ts";

// deno-lint-ignore no-console -- a test that does not run has to say so
if (withoutNats) console.warn(`The fleet is not tested against a real broker: ${withoutNats}`);
const options = { skip: withoutNats };

let server: NatsServer;
let broker: NatsBroker;

before(async () => {
  if (withoutNats) return;
  server = await startNats();
  broker = await connectBroker({ servers: server.url, name: "test", layout: { lease: 1500, lineLength: 20 } });
});

after(async () => {
  await broker?.close();
  await server?.stop();
});

const never = new AbortController().signal;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const conflict = { name: "BrokerRefusal", reason: "conflict" };

test("an entry is created once, and changed and removed by its newest revision only", options, async () => {
  const { sessions } = broker;
  const first = await sessions.create("cas", record);
  await assert.rejects(sessions.create("cas", record), conflict);
  const second = await sessions.update("cas", { ...record, generation: 2 }, first);
  await assert.rejects(sessions.update("cas", record, first), conflict);
  assert.deepEqual(await sessions.get("cas"), { value: { ...record, generation: 2 }, revision: second });
  await assert.rejects(sessions.remove("cas", first), conflict);
  await sessions.remove("cas", second);
  assert.equal(await sessions.get("cas"), undefined);
  await sessions.create("cas", record);
});

test("an entry of a worker expires, watchers are notified, and its name is free again", options, async () => {
  const worker = { epoch: "e", url: "http://127.0.0.1:1", pool: "p", fingerprint: "f", slots: 1, used: 0 };
  const value = { ...worker, draining: false, version: "1" };
  await broker.workers.create("brief", value);
  const stop = new AbortController();
  const gone = new Promise<void>((resolve) => {
    let isSeen = false;
    void broker.workers.watch((key, entry) => {
      if (key !== "brief") return;
      if (entry) isSeen = true;
      else if (isSeen) resolve();
    }, stop.signal);
  });
  await gone;
  stop.abort();
  await broker.workers.create("brief", value);
});

test("a journal takes an entry behind the last one only, and says what the last one is", options, async () => {
  const { journals } = broker;
  const first = await journals.append("log", bytes("1"), 0, "log/1");
  await assert.rejects(journals.append("log", bytes("x"), 0, "log/x"), conflict);
  const second = await journals.append("log", bytes("2"), first, "log/2");
  // The broker looks at the sequence first: who repeats an entry finds its own id at the end.
  await assert.rejects(journals.append("log", bytes("2"), first, "log/2"), conflict);
  assert.equal((await journals.last("log"))?.id, "log/2");
  assert.deepEqual((await journals.read("log")).map(({ id }) => id), ["log/1", "log/2"]);
  assert.equal((await journals.last("log"))?.sequence, second);
  await journals.trim("log", second);
  assert.deepEqual((await journals.read("log")).map(({ id }) => id), ["log/2"]);
  await journals.purge("log");
  assert.deepEqual(await journals.read("log"), []);
  assert.equal(await journals.last("log"), undefined);
});

test("a long journal is read whole", options, async () => {
  let sequence = 0;
  for (let i = 0; i < 450; i++) sequence = await broker.journals.append("long", bytes(`${i}`), sequence, `long/${i}`);
  const entries = await broker.journals.read("long");
  assert.deepEqual(entries.map(({ data }) => Number(new TextDecoder().decode(data))), [...Array(450).keys()]);
});

test("a ticket is handed out again until it is acknowledged, and a full queue says so", options, async () => {
  const { tickets } = broker;
  await tickets.publish("pool", { session: "a", generation: 1 });
  await tickets.publish("pool", { session: "a", generation: 1 });
  const taken = await tickets.take("pool", 1000, never);
  assert.deepEqual([taken?.ticket, taken?.deliveries], [{ session: "a", generation: 1 }, 1]);
  assert.equal(await tickets.take("pool", 1000, never), undefined, "the second ticket was dropped");
  await taken!.nak(0);
  const again = await tickets.take("pool", 2000, never);
  assert.equal(again?.deliveries, 2);
  await again!.ack();
  for (let i = 0; i < 20; i++) await tickets.publish("full", { session: `f${i}`, generation: 1 });
  await assert.rejects(tickets.publish("full", { session: "f20", generation: 1 }), { reason: "full" });
  const { displaced } = broker;
  for (let i = 0; i < 25; i++) await displaced.publish("full", { session: `d${i}`, generation: 2 });
  assert.equal((await displaced.take("full", 1000, never))?.ticket.session, "d0", "it is not part of that queue");
  for (let i = 0; i < 20; i++) await (await tickets.take("full", 1000, never))!.ack();
});

test("the object store keeps, lists and removes blobs", options, () => checkBlobStore(broker.blobs));

test("blobs come back as they were", options, async () => {
  const data = crypto.getRandomValues(new Uint8Array(60_000));
  await broker.blobs.put("f00d", data);
  await broker.blobs.put("f00d", data);
  const found = await broker.blobs.get("f00d");
  assert.ok(data.every((byte, i) => found?.[i] === byte) && found?.length === data.length);
  assert.equal(await broker.blobs.get("beef"), undefined);
});

test("nothing is lost or done twice while processes die, stand still and are cut off", options, async () => {
  const schedule: Schedule = {
    seed: 7,
    workers: 3,
    slots: 1,
    gateways: 2,
    sessions: 2,
    moves: 6,
    losses: 0.02,
    dropsDoubles: true,
    faults: [
      { at: 600, kind: "kill worker", which: 0, length: 500 },
      { at: 1500, kind: "pause worker", which: 1, length: 2500 },
      { at: 1800, kind: "kill gateway", which: 0, length: 300 },
      { at: 2500, kind: "cut worker", which: 2, length: 2000 },
      { at: 4000, kind: "drain worker", which: 0, length: 0 },
    ],
  };
  const clock = fleetClock();
  const stage: Stage = {
    clock,
    broker,
    prefix: "real",
    async run(isDone) {
      const end = clock.now() + 40_000;
      while (!isDone() && clock.now() < end) await clock.wait(50);
      return isDone();
    },
  };
  assert.deepEqual(await runSchedule(schedule, stage), []);
});
