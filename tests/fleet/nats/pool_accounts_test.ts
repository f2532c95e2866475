import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { type BrokerOptions, connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { inboxOf } from "../../../fleet/nats/broker_permissions.ts";
import { journalOf } from "../../../fleet/nats/layout.ts";
import { writeBrokerConfig } from "../../../fleet/nats/write_broker_config.ts";
import { startGateway } from "../../../fleet/gateway/start_gateway.ts";
import type { WorkerRecord } from "../../../fleet/protocol/broker.ts";
import type { RolloutRecord } from "../../../fleet/protocol/rollout_records.ts";
import { leaseLog } from "../../../fleet/worker/worker_reports.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { startConfiguredNats } from "../../support/configured_nats.ts";
import { waitingSession } from "../../support/fleet_records.ts";
import { withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const bytes = new TextEncoder().encode("x");
const POOLS = ["a", "b"] as const;
type Pool = typeof POOLS[number];
const OTHER = { a: "b", b: "a" } as const;
const use = { stamp: "1", opening: [], submitting: [], moves: 1 };
const { stream: JOURNAL, subject: JOURNAL_SUBJECT } = journalOf("s");

interface Fleets {
  /** How a user connects, by its pool and the name of its file. */
  as(pool: Pool, file: string): Promise<Omit<BrokerOptions, "name">>;
  /** The same user without the code of a fleet, and what the server refuses it. */
  raw(pool: Pool, file: string): Promise<{ connection: NatsConnection; refused: string[]; inbox: string }>;
  broker(pool: Pool, file: string): Promise<NatsBroker>;
}

/** Two pools on a real server, set up by their operators. */
async function withPools(isTls: boolean, work: (fleets: Fleets) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), "svc-pools-"));
  const workers = ["a/one", "a/two", "b/one"];
  const folder = await writeBrokerConfig(join(parent, "nats"), { hosts: [], pools: POOLS, workers });
  const config = await readFile(join(folder, "nats.conf"), "utf8");
  const nats = await startConfiguredNats((port, store) =>
    config.replace(/^port:.*$/m, `listen: "127.0.0.1:${port}"`)
      .replace(/store_dir: "[^"]*"/, () => `store_dir: ${JSON.stringify(store)}`)
      .replace(isTls ? /$^/ : /^tls \{[^}]*\}$/m, "")
  );
  const open: (() => Promise<void>)[] = [];
  const as: Fleets["as"] = async (pool, file) => {
    const text = await readFile(join(folder, pool, `${file}.env`), "utf8");
    const [, user, password] = /^SVC_NATS_USER=(.*)\nSVC_NATS_PASSWORD=(.*)\n$/.exec(text)!;
    const servers = `${isTls ? "tls" : "nats"}://127.0.0.1:${nats.port}`;
    return { servers, user, password, ...(isTls && { ca: join(folder, "ca.pem") }) };
  };
  const broker: Fleets["broker"] = async (pool, file) => {
    const made = await connectBroker({ ...await as(pool, file), name: file });
    open.push(() => made.close());
    return made;
  };
  const raw: Fleets["raw"] = async (pool, file) => {
    const { servers, user, password, ca } = await as(pool, file);
    const inbox = inboxOf(user!);
    const login = { servers, user: user!, pass: password!, inboxPrefix: inbox };
    const connection = await connect({ ...login, ...(ca !== undefined && { tls: { caFile: ca } }) });
    open.push(() => connection.close());
    const refused: string[] = [];
    void (async () => {
      for await (const status of connection.status()) {
        if (status.type === "error") refused.push(String(status.error));
      }
    })();
    return { connection, refused, inbox };
  };
  try {
    for (const pool of POOLS) await broker(pool, "operator");
    await work({ as, broker, raw });
  } finally {
    for (const close of open.toReversed()) await close();
    await nats.stop();
    await rm(parent, { recursive: true, force: true });
  }
}

const recordOf = (pool: Pool): WorkerRecord => ({
  epoch: "e",
  url: "http://127.0.0.1:1",
  pool,
  fingerprint: "f",
  slots: 1,
  used: 0,
  draining: false,
  version: "1",
});

/** Does what gateways and workers of a pool do, and leaves something in every stream but the lines. */
async function usePool({ broker }: Fleets, pool: Pool): Promise<void> {
  const gateway = await broker(pool, "gateway");
  const worker = await broker(pool, "worker-one");
  const stop = new AbortController();
  const seen = new Set<string>();
  await gateway.sessions.watch((key) => void seen.add(key), stop.signal);
  await gateway.workers.watch((key) => void seen.add(key), stop.signal);
  await worker.followDrain("one", "e", () => seen.add("drain"), stop.signal);
  await worker.workers.create("one", recordOf(pool));
  await gateway.sessions.create("s", { ...waitingSession, pool });
  await gateway.tickets.publish(pool, { session: "s", generation: 1 });
  const taken = await worker.tickets.take(pool, 2000, stop.signal);
  assert.equal(taken?.ticket.session, "s");
  const entry = await worker.sessions.get("s");
  await worker.sessions.update("s", { ...entry!.value, generation: 2 }, entry!.revision);
  const first = await worker.journals.append("s", bytes, 0, "s/1");
  const second = await worker.journals.append("s", bytes, first, "s/2");
  await worker.journals.trim("s", second);
  assert.deepEqual((await worker.journals.read("s")).map(({ id }) => id), ["s/2"]);
  assert.equal((await worker.journals.last("s"))?.id, "s/2");
  await taken!.ack();
  await gateway.displaced.publish(pool, { session: "s", generation: 3 });
  await (await worker.displaced.take(pool, 2000, stop.signal))!.ack();
  await worker.blobs.put("f00d", bytes);
  assert.deepEqual([...await worker.blobs.get("f00d") ?? []], [...bytes]);
  await gateway.tenants.create("alpha", use);
  const rollout: RolloutRecord = {
    tenant: "t",
    dataset: "d",
    item: "i",
    pool,
    spec: "{}",
    phase: "waiting",
    attempt: 0,
  };
  await gateway.batches.files.put("cafe", bytes);
  await gateway.batches.rollouts.create("t.d.i", rollout);
  await gateway.batches.tickets.publish(pool, { session: "t.d.i", generation: 1 });
  await (await worker.batches.tickets.take(pool, 2000, stop.signal))!.ack();
  const found = await worker.batches.rollouts.get("t.d.i");
  await worker.batches.rollouts.update("t.d.i", { ...rollout, phase: "running" }, found!.revision);
  assert.equal((await gateway.batches.page(1, "t", "d")).records[0]?.phase, "running");
  await (await broker(pool, "operator")).askToDrain("one", "e");
  for (let i = 0; i < 500 && seen.size < 3; i++) await new Promise((again) => setTimeout(again, 10));
  stop.abort();
  assert.deepEqual([...seen].sort(), ["drain", "one", "s"]);
}

/** All that is in the streams of a pool, and who reads them. */
async function contentsOf({ raw }: Fleets, pool: Pool): Promise<string[]> {
  const manager = await jetstreamManager((await raw(pool, "operator")).connection);
  const found: string[] = [];
  for await (const { config, state } of manager.streams.list()) {
    const { messages, first_seq, last_seq } = state;
    const consumers: string[] = [];
    // Those that follow a bucket come and go.
    for await (const { name } of manager.consumers.list(config.name)) if (!/^watch-/.test(name)) consumers.push(name);
    const made = { config: { ...config, metadata: {} }, messages, first_seq, last_seq, consumers: consumers.sort() };
    const texts: string[] = [];
    for (let seq = first_seq; seq <= last_seq; seq++) {
      const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
      if (message) texts.push(`${message.subject} ${message.string()}`);
    }
    found.push(JSON.stringify({ ...made, texts }));
  }
  assert.ok(found.length > 20);
  return found.sort();
}

const KEYS = ["KV_svc_workers", "KV_svc_sessions", "KV_svc_control", "KV_svc_tenants", "KV_svc_rollouts"];
const STREAMS = [
  ...KEYS,
  "OBJ_svc_blobs",
  "OBJ_svc_rollout_files",
  "SVC_PLACE",
  "SVC_DISPLACED",
  "SVC_ROLLOUTS",
  JOURNAL,
];

/** Everything that JetStream has a request for, on everything that a fleet has. */
const REQUESTS: readonly (readonly [subject: string, body: unknown])[] = STREAMS.flatMap((stream) => [
  [`$JS.API.STREAM.PURGE.${stream}`, {}],
  [`$JS.API.STREAM.DELETE.${stream}`, {}],
  [`$JS.API.STREAM.UPDATE.${stream}`, { name: stream, subjects: ["evil"] }],
  [`$JS.API.STREAM.MSG.DELETE.${stream}`, { seq: 1 }],
  [`$JS.API.STREAM.SNAPSHOT.${stream}`, { deliver_subject: "evil" }],
  [`$JS.API.CONSUMER.DELETE.${stream}.pool-b`, {}],
  [`$JS.API.CONSUMER.CREATE.${stream}`, {
    stream_name: stream,
    config: { deliver_subject: "evil", ack_policy: "none" },
  }],
  [`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.evil`, { stream_name: stream, config: { durable_name: "evil" } }],
  [`$JS.API.CONSUMER.CREATE.${stream}.evil`, {
    stream_name: stream,
    config: { name: "evil", deliver_subject: "evil" },
  }],
  [`$JS.API.CONSUMER.MSG.NEXT.${stream}.pool-b`, { batch: 1 }],
  [`$JS.API.STREAM.MSG.GET.${stream}`, { seq: 1 }],
  [`$JS.API.DIRECT.GET.${stream}`, { seq: 1 }],
  [`$JS.API.STREAM.INFO.${stream}`, {}],
  [`$JS.ACK.${stream}.pool-b.1.1.1.1.1`, "+ACK"],
]);

const WRITES = [
  ...["workers.one", "sessions.s", "control.one", "tenants.alpha", "rollouts.t.d.i"].map((key) => `$KV.svc_${key}`),
  ...["svc.place.b", "svc.displaced.b", "svc.rollout.b", JOURNAL_SUBJECT, "$O.svc_blobs.M.x", "$O.svc_blobs.C.x"],
];

for (const isTls of [true, false]) {
  const how = isTls ? "with TLS" : "without TLS";

  test(`${how}: each role does its part in its own pool`, options, async () => {
    await withPools(isTls, async (fleets) => {
      for (const pool of POOLS) await usePool(fleets, pool);
      const gateway = await startGateway({
        broker: await fleets.as("a", "gateway"),
        host: "127.0.0.1",
        port: 0,
        allowOrigins: [],
        pool: "a",
        maxWorlds: 10,
        lineLength: 10,
        log: () => {},
      });
      try {
        const opened = await fetch(`${gateway.url}/v1/worlds`, { method: "POST", headers: { prefer: "wait=0" } });
        assert.equal(opened.status, 202);
        const { world_id } = await opened.json();
        const ids: string[] = [];
        for (const pool of POOLS) {
          const { sessions } = await fleets.broker(pool, "worker-one");
          ids.push(`${pool} ${(await sessions.get(world_id)) !== undefined}`);
        }
        assert.deepEqual(ids, ["a true", "b false"]);
      } finally {
        await gateway.close();
      }
    });
  });

  test(`${how}: nobody of a pool reads, writes, follows or removes anything of another`, options, async () => {
    await withPools(isTls, async (fleets) => {
      for (const pool of POOLS) await usePool(fleets, pool);
      const before = await contentsOf(fleets, "b");
      const heard: string[] = [];
      const own = await fleets.broker("a", "operator");
      // Each as far as it gets in its own account, where it does reach something: the attacks are real.
      const reached = {
        "worker-one": async () => (await own.tenants.get("alpha"))?.value.moves !== use.moves,
        gateway: async () => (await own.sessions.get("s")) === undefined,
        operator: async () => await own.sessions.get("s").then(() => false, () => true),
      };
      for (const [file, hasReached] of Object.entries(reached)) {
        const { connection, refused, inbox } = await fleets.raw("a", file);
        const everything = [
          ">",
          "svc.>",
          "$KV.>",
          "$O.>",
          "$JS.>",
          "$JS.EVENT.ADVISORY.>",
          "$SYS.>",
          "_INBOX_b_gateway.>",
        ];
        for (const subject of everything) {
          connection.subscribe(subject, { callback: (error, message) => void (error ?? heard.push(message.subject)) });
        }
        for (const subject of WRITES) connection.publish(subject, JSON.stringify({ ...use, moves: 777 }));
        // The worst that a user can do in an account: an answer of JetStream goes wherever a request says.
        const lure = "$JS.API.DIRECT.GET.KV_svc_sessions.$KV.svc_sessions.s";
        for (const reply of [...WRITES, ...REQUESTS.map(([subject]) => subject)]) {
          connection.publish(lure, "", { reply });
        }
        for (const [subject, body] of REQUESTS) {
          connection.publish(subject, typeof body === "string" ? body : JSON.stringify(body), { reply: `${inbox}.x` });
        }
        await connection.flush();
        const isRefused = (): boolean => everything.every((name) => refused.some((text) => text.includes(`"${name}"`)));
        for (let i = 0; i < 500 && !(isRefused() && await hasReached()); i++) {
          await new Promise((again) => setTimeout(again, 10));
        }
        assert.ok(isRefused() && await hasReached(), file);
        assert.deepEqual(await contentsOf(fleets, "b"), before, file);
      }
      const worker = await fleets.broker("b", "worker-one");
      assert.deepEqual((await worker.journals.read("s")).map(({ id }) => id), ["s/2"]);
      await worker.journals.append("other", bytes, 0, "other/1");
      await worker.journals.purge("other");
      await (await fleets.raw("a", "operator")).connection.flush();
      assert.deepEqual(heard, []);
    });
  });
}

test("within its pool a user is held to its part, and to its own name", options, async () => {
  await withPools(false, async (fleets) => {
    for (const pool of POOLS) await usePool(fleets, pool);
    const inboxes = [
      "_INBOX.>",
      "_INBOX_a_gateway.>",
      "_INBOX_a_worker_two.>",
      "svc.>",
      "$KV.>",
      "$JS.EVENT.>",
      "$SYS.>",
    ];
    const changes = /STREAM\.(DELETE|UPDATE|SNAPSHOT|MSG\.DELETE)|DURABLE|CONSUMER\.CREATE\.[^.]*$|NEXT\..*pool-b/;
    const common = REQUESTS.map(([subject]) => subject).filter((subject) => changes.test(subject));
    const take = "$JS.API.CONSUMER.CREATE.SVC_PLACE.pool-";
    const forbidden: Record<string, string[]> = {
      "worker-one": [
        ...["$KV.svc_workers.two", "$KV.svc_control.two", "$KV.svc_tenants.alpha"],
        ...["svc.place.b", "svc.displaced.b", "svc.rollout.b", `${take}b.svc.place.b`, `${take}a.svc.place.b`],
        ...["$JS.API.STREAM.PURGE.KV_svc_sessions", "$JS.API.STREAM.MSG.GET.KV_svc_tenants"],
      ],
      gateway: [
        ...["$KV.svc_workers.one", "$KV.svc_control.one", JOURNAL_SUBJECT, "$O.svc_blobs.M.x", "svc.place.b"],
        ...[`${take}a.svc.place.a`, "$JS.API.CONSUMER.MSG.NEXT.SVC_PLACE.pool-a", `$JS.API.STREAM.MSG.GET.${JOURNAL}`],
      ],
    };
    for (const [file, more] of Object.entries(forbidden)) {
      const { connection, refused } = await fleets.raw("a", file);
      const inbox = inboxes.filter((subject) => file !== "gateway" || subject !== "_INBOX_a_gateway.>");
      const all = [...more, ...common];
      for (const subject of all) connection.publish(subject, "{}");
      for (const subject of inbox) connection.subscribe(subject, { callback: () => {} });
      await connection.flush();
      const left = () => [...all, ...inbox].filter((name) => !refused.some((text) => text.includes(`"${name}"`)));
      for (let i = 0; i < 500 && left().length > 0; i++) await new Promise((again) => setTimeout(again, 10));
      assert.deepEqual(left(), [], file);
    }
    const worker = await fleets.broker("a", "worker-two");
    const reasons: unknown[] = [];
    const said = leaseLog((_level, _event, detail) => void reasons.push(detail?.["reason"]));
    said(await worker.workers.create("one-more", recordOf("a")).catch((error) => error));
    assert.match(String(reasons), /^its NATS user may not register it: --name and --pool/);
    await worker.workers.create("two", recordOf("a"));
  });
});

test("a user of one pool is none of another, and its password opens no other", options, async () => {
  await withPools(true, async ({ as }) => {
    const names = new Set<string>();
    for (const pool of POOLS) {
      for (const file of ["gateway", "operator", "worker-one"]) {
        const own = await as(pool, file);
        const other = await as(OTHER[pool], file);
        names.add(own.user!);
        const mixed = connectBroker({ ...own, password: other.password, name: "test" });
        await assert.rejects(mixed, /authorization/i, `${pool} ${file}`);
      }
    }
    assert.equal(names.size, 6);
  });
});

test("accounts and users are written for names that are some", async () => {
  const parent = await mkdtemp(join(tmpdir(), "svc-pools-"));
  try {
    const hosts: string[] = [];
    const bad = [
      { hosts, pools: ["a", "a"] },
      { hosts, pools: ["A b"] },
      { hosts, pools: [`x" {`] },
      { hosts, pools: ["a"], workers: ["one"] },
      { hosts, pools: ["a"], workers: ["b/one"] },
      { hosts, workers: ["a/one"] },
      { hosts, workers: ["../x"] },
      { hosts, workers: ["one", "one"] },
      { hosts, workers: ["x.y"] },
    ];
    for (const each of bad) await assert.rejects(writeBrokerConfig(join(parent, "bad"), each), UsageError);
    assert.deepEqual(await readdir(parent), []);
    const one = await writeBrokerConfig(join(parent, "one"), { hosts, workers: ["first", "second"] });
    const written = (await readdir(one)).filter((name) => name.endsWith(".env")).sort();
    assert.deepEqual(written, ["gateway.env", "operator.env", "worker-first.env", "worker-second.env"]);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
