import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import type { Entry, SessionRecord } from "../../../fleet/protocol/broker.ts";
import { waitingSession } from "../../support/fleet_records.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats, timeout: 30_000 };
const BUCKET = "KV_svc_sessions";

let server: NatsServer;
let broker: NatsBroker;

before(async () => {
  if (withoutNats) return;
  server = await startNats();
  broker = await connectBroker({ servers: server.url, name: "test", layout: { lease: 4000 } });
});

after(async () => {
  await broker?.close();
  await server?.stop();
});

/** Follows the sessions; `until` resolves when `isSo` is true of those that are known. */
async function followed(signal: AbortSignal) {
  const known = new Map<string, Entry<SessionRecord>>();
  let changed = (): void => {};
  await broker.sessions.watch((id, entry) => {
    if (entry) known.set(id, entry);
    else known.delete(id);
    changed();
  }, signal);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((resolve) => changed = resolve);
  };
  return { known, until };
}

/** Loses what follows the sessions, as a broker does whose node is gone. */
async function loseConsumers(): Promise<number> {
  const connection = await connect({ servers: server.url });
  const { consumers } = await jetstreamManager(connection);
  let count = 0;
  for await (const { name } of consumers.list(BUCKET)) {
    await consumers.delete(BUCKET, name);
    count++;
  }
  await connection.close();
  return count;
}

test("changes arrive after the node that sent them is gone", options, async () => {
  await broker.sessions.create("kept", waitingSession);
  await broker.sessions.create("removed", waitingSession);
  await broker.sessions.create("forgotten", waitingSession);
  const stop = new AbortController();
  const { known, until } = await followed(stop.signal);
  assert.deepEqual([...known.keys()].sort(), ["forgotten", "kept", "removed"]);
  assert.equal(await loseConsumers(), 1);
  const { revision } = known.get("removed")!;
  await broker.sessions.remove("removed", revision);
  await server.removeMessages(BUCKET, "$KV.svc_sessions.forgotten"); // as a mark of its removal that has expired
  await broker.sessions.create("new", waitingSession);
  await until(() => known.has("new") && !known.has("removed") && !known.has("forgotten"));
  assert.deepEqual([...known.keys()].sort(), ["kept", "new"]);
  // And again: what follows by then is noticed as soon.
  assert.equal(await loseConsumers(), 1);
  await broker.sessions.create("newest", waitingSession);
  await until(() => known.has("newest"));
  stop.abort();
});

test("following ends with its signal, and fails with its connection", options, async () => {
  const known = new Set<string>();
  await broker.sessions.watch((id) => void known.add(id), AbortSignal.abort());
  assert.equal(known.size, 0);
  const closed = await connectBroker({ servers: server.url, name: "closed" });
  await closed.close();
  const never = new AbortController().signal;
  await assert.rejects(closed.sessions.watch(() => {}, never), /the connection is closed/);
});
