import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { writeBrokerConfig } from "../../../fleet/nats/write_broker_config.ts";
import { type BrokerOptions, connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import type { BrokerRole } from "../../../fleet/nats/broker_permissions.ts";
import { journalOf } from "../../../fleet/nats/layout.ts";
import type { WorkerRecord } from "../../../fleet/protocol/broker.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { type ConfiguredNats, startConfiguredNats } from "../../support/configured_nats.ts";
import { waitingSession as session } from "../../support/fleet_records.ts";
import { withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const bytes = new TextEncoder().encode("x");
const registered: WorkerRecord = {
  epoch: "e",
  url: "http://127.0.0.1:1",
  pool: "default",
  fingerprint: "f",
  slots: 1,
  used: 0,
  draining: false,
  version: "1",
};

let parent: string;
let folder: string;
let nats: ConfiguredNats;
let gateway: NatsBroker;
let worker: NatsBroker;
const open: (() => Promise<void>)[] = [];

async function as(role: BrokerRole): Promise<Omit<BrokerOptions, "name">> {
  const [, user, password] = /^SVC_NATS_USER=(.*)\nSVC_NATS_PASSWORD=(.*)\n$/.exec(
    await readFile(join(folder, `${role}.env`), "utf8"),
  )!;
  return { servers: `tls://127.0.0.1:${nats.port}`, user, password, ca: join(folder, "ca.pem") };
}

before(async () => {
  parent = await mkdtemp(join(tmpdir(), "svc-broker-"));
  folder = await writeBrokerConfig(join(parent, "broker"), { hosts: ["nats.example.com", "10.0.0.1", "::1"] });
  if (withoutNats) return;
  const config = await readFile(join(folder, "nats.conf"), "utf8");
  nats = await startConfiguredNats((port, store) =>
    config.replace(/^port:.*$/m, `listen: "127.0.0.1:${port}"`).replace(
      /store_dir: "[^"]*"/,
      () => `store_dir: ${JSON.stringify(store)}`,
    )
  );
});

after(async () => {
  for (const close of open) await close();
  await nats?.stop();
  await rm(parent, { recursive: true, force: true });
});

test("what is written is for this user only, and nothing is replaced", async () => {
  const names = (await readdir(folder)).sort();
  const keys = ["ca-key.pem", "ca.pem", "server-key.pem", "server.pem"];
  const roles = ["gateway.env", "operator.env", "worker.env"];
  assert.deepEqual(names, [...keys, ...roles, "nats.conf", "openssl.cnf"].sort());
  for (const name of names.filter((name) => !["ca.pem", "server.pem"].includes(name))) {
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
  }
  const config = await readFile(join(folder, "nats.conf"), "utf8");
  await assert.rejects(writeBrokerConfig(folder, { hosts: [] }), UsageError);
  assert.equal(await readFile(join(folder, "nats.conf"), "utf8"), config);
  for (const host of ["a b", "x\nDNS:evil", "a,DNS:evil", "-x", ""]) {
    await assert.rejects(writeBrokerConfig(join(parent, "bad"), { hosts: [host] }), UsageError);
  }
  assert.deepEqual(await readdir(parent), ["broker"]);
});

test("without the CA, a password or TLS nobody can connect", options, async () => {
  const right = await as("gateway");
  await assert.rejects(connectBroker({ ...right, name: "test", ca: undefined }), /certificate|issuer|authority/i);
  await assert.rejects(connectBroker({ ...right, name: "test", password: "wrong" }), /authorization/i);
  await assert.rejects(
    connectBroker({ ...right, name: "test", user: undefined, password: undefined }),
    /authorization/i,
  );
});

test("a role that starts before the fleet is set up says who has to do it", options, async () => {
  await assert.rejects(connectBroker({ ...await as("gateway"), name: "gateway" }), /missing there.*svc cluster init/s);
  for (const role of ["operator", "gateway", "worker"] as const) {
    const broker = await connectBroker({ ...await as(role), name: role });
    open.push(() => broker.close());
    if (role === "gateway") gateway = broker;
    if (role === "worker") worker = broker;
  }
});

test("a gateway and a worker can do all that their parts need", options, async () => {
  const stop = new AbortController();
  const seen = new Set<string>();
  await gateway.sessions.watch((key) => void seen.add(key), stop.signal);
  await gateway.workers.watch((key) => void seen.add(key), stop.signal);
  await worker.followDrain("one", "e", () => seen.add("drain"), stop.signal);
  await worker.workers.create("one", registered);
  await gateway.sessions.create("s", session);
  await gateway.tickets.publish("default", { session: "s", generation: 1 });
  const taken = await worker.tickets.take("default", 2000, stop.signal);
  assert.equal(taken?.ticket.session, "s");
  const entry = await worker.sessions.get("s");
  await worker.sessions.update("s", { ...session, generation: 2 }, entry!.revision);
  await worker.journals.append("s", bytes, 0, "s/1");
  assert.deepEqual((await worker.journals.read("s")).map(({ id }) => id), ["s/1"]);
  assert.equal((await worker.journals.last("s"))?.id, "s/1");
  await taken!.ack();
  await gateway.displaced.publish("default", { session: "s", generation: 3 });
  await (await worker.displaced.take("default", 2000, stop.signal))!.ack();
  await worker.blobs.put("f00d", bytes);
  assert.deepEqual([...await worker.blobs.get("f00d") ?? []], [...bytes]);
  await gateway.journals.purge("s");
  const use = { stamp: "1", opening: [], submitting: [], moves: 0 };
  const revision = await gateway.tenants.create("alpha", use);
  await gateway.tenants.update("alpha", { ...use, stamp: "2" }, revision);
  assert.equal((await gateway.tenants.get("alpha"))?.value.stamp, "2");
  const operator = await connectBroker({ ...await as("operator"), name: "operator" });
  open.push(() => operator.close());
  await operator.askToDrain("one", "e");
  for (let i = 0; i < 500 && !(seen.has("drain") && seen.has("one") && seen.has("s")); i++) {
    await new Promise((again) => setTimeout(again, 10));
  }
  stop.abort();
  assert.deepEqual([...seen].sort(), ["drain", "one", "s"]);
});

test("neither can do what is not its part", options, async () => {
  const { stream, subject } = journalOf("s");
  const private_ = ["_INBOX.>", "_INBOX_operator.>", "svc.>", "$KV.>"];
  const forbidden: [role: BrokerRole, subjects: string[]][] = [
    ["gateway", [
      subject,
      "$KV.svc_workers.one",
      "$KV.svc_control.one",
      "$O.svc_blobs.M.x",
      `$JS.API.DIRECT.GET.${stream}.${subject}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
      "$JS.API.STREAM.MSG.GET.OBJ_svc_blobs",
      "$JS.API.CONSUMER.CREATE.SVC_PLACE.pool-default.svc.place.default",
      "$JS.API.CONSUMER.MSG.NEXT.SVC_PLACE.pool-default",
      "$JS.API.CONSUMER.MSG.NEXT.SVC_DISPLACED.pool-default",
      "$JS.API.STREAM.CREATE.OTHER",
      `$JS.API.STREAM.DELETE.${stream}`,
      "_INBOX_worker.x",
    ]],
    ["worker", [
      "$KV.svc_control.one",
      "$KV.svc_tenants.alpha",
      "$JS.API.STREAM.CREATE.OTHER",
      `$JS.API.STREAM.UPDATE.${stream}`,
      `$JS.API.STREAM.DELETE.${stream}`,
      "$JS.API.STREAM.PURGE.KV_svc_sessions",
      "$JS.API.CONSUMER.DELETE.SVC_PLACE.pool-default",
      "_INBOX_gateway.x",
    ]],
  ];
  for (const [role, subjects] of forbidden) {
    const { servers, user, password: pass, ca } = await as(role);
    const raw: NatsConnection = await connect({ servers, user: user!, pass: pass!, tls: { caFile: ca! } });
    open.push(() => raw.close());
    const refused: string[] = [];
    void (async () => {
      for await (const status of raw.status()) {
        if (status.type === "error") refused.push(String(status.error));
      }
    })();
    for (const name of subjects) raw.publish(name, bytes);
    for (const name of private_) raw.subscribe(name, { callback: () => {} });
    await raw.flush();
    const left = () => [...subjects, ...private_].filter((name) => !refused.some((text) => text.includes(`"${name}"`)));
    for (let i = 0; i < 500 && left().length > 0; i++) await new Promise((again) => setTimeout(again, 10));
    assert.deepEqual(left(), [], `${role}: ${refused.join("; ")}`);
  }
});
