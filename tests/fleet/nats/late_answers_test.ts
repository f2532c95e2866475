import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { natsBlobs } from "../../../fleet/nats/nats_blobs.ts";
import { sha256 } from "../../../lib/world/session/journal/chain_node.ts";
import { openSlowLink, type SlowLink } from "../../support/slow_link.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats, timeout: 30_000 };

let server: NatsServer;
let link: SlowLink;
/** Over a link that holds answers back, and directly. */
let cut: NatsBroker;
let broker: NatsBroker;

before(async () => {
  if (withoutNats) return;
  server = await startNats();
  link = await openSlowLink(Number(new URL(server.url).port));
  broker = await connectBroker({ servers: server.url, name: "direct" });
  cut = await connectBroker({ servers: `nats://127.0.0.1:${link.port}`, name: "cut" });
});

after(async () => {
  await Promise.all([cut?.close(), broker?.close()]);
  await link?.close();
  await server?.stop();
});

const isSame = (found: Uint8Array | undefined, data: Uint8Array): boolean => found?.join() === data.join();
const bytes = (length: number): Uint8Array => (new Uint8Array(length).map((_, i) => i * i >> 5));

test("a blob stays complete when its last answer arrives too late", options, async () => {
  const data = bytes(40_000);
  const name = await sha256(data);
  const held = link.holdAfter("PUB $O.svc_blobs.M.");
  const put = cut.blobs.put(name, data);
  const settled = put.then(() => "written", () => "unknown");
  await held;
  const gaveUp = link.holdAfter("STREAM.MSG.GET.OBJ_svc_blobs"); // the writer checks whether its entry is there
  while (!await broker.blobs.find(name)); // it is on its way
  assert.ok(isSame(await broker.blobs.get(name), data), "before the answer");
  await gaveUp;
  link.release();
  assert.equal(await settled, "written");
  assert.ok(isSame(await broker.blobs.get(name), data));
});

test("a blob whose parts are gone counts as missing, and is written again", options, async () => {
  const data = bytes(300_000);
  const name = await sha256(data);
  await broker.blobs.put(name, data);
  await server.removeMessages("OBJ_svc_blobs", "$O.svc_blobs.C.>");
  assert.equal(await broker.blobs.get(name), undefined);
  await broker.blobs.put(name, data);
  assert.ok(isSame(await broker.blobs.get(name), data));
});

test("a blob of several parts is read whole, of which some are sent twice", options, async () => {
  const data = bytes(1_000_000);
  const name = await sha256(data);
  const held = link.holdAfter("PUB $O.svc_blobs.C.");
  const put = cut.blobs.put(name, data);
  await held;
  await link.holdAfter("PUB $O.svc_blobs.C."); // the writer sends the part again
  link.release();
  await put;
  assert.ok(isSame(await broker.blobs.get(name), data));
});

test("a blob is read although an answer arrives too late", options, async () => {
  const data = bytes(1000);
  const name = await sha256(data);
  await broker.blobs.put(name, data);
  const held = link.holdAfter("STREAM.MSG.GET.OBJ_svc_blobs");
  const found = cut.blobs.get(name);
  found.catch(() => {});
  await held;
  await link.holdAfter("STREAM.MSG.GET.OBJ_svc_blobs"); // the reader asks again
  link.release();
  assert.ok(isSame(await found, data));
});

test("collecting files removes parts whose writer was killed, others stay", options, async () => {
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  const left = "$O.svc_blobs.C.unfinished";
  await manager.jetstream().publish(left, bytes(100));
  const data = bytes(200_000);
  const name = await sha256(data);
  await broker.blobs.put(name, data);
  const listed = async (now: number): Promise<number> => {
    const store = natsBlobs({ bucket: "svc_blobs", stream: manager.jetstream(), manager, now: () => now });
    for await (const _ of store.list());
    const { state } = await manager.streams.info("OBJ_svc_blobs", { subjects_filter: left });
    return state.subjects?.[left] ?? 0;
  };
  assert.equal(await listed(Date.now() + 50 * 60_000), 1, "it may still be written");
  assert.equal(await listed(Date.now() + 70 * 60_000), 0);
  assert.ok(isSame(await broker.blobs.get(name), data));
  await connection.close();
});

test("a role that JetStream does not answer says so, and not that it is off", options, async () => {
  const held = link.holdAfter("$JS.API.INFO");
  const joining = connectBroker({ servers: `nats://127.0.0.1:${link.port}`, name: "late" });
  const refused = assert.rejects(joining, { message: /JetStream did not answer in 20 s, look at its log/ });
  await held;
  await refused;
  link.release();
});
