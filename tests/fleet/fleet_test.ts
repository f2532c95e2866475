import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Gateway, startGateway } from "../../fleet/gateway/start_gateway.ts";
import { startFleetWorker } from "../../fleet/worker/start_fleet_worker.ts";
import type { FleetWorker } from "../../servers/flags/fleet_flags.ts";
import { collectFleet, drainWorker, initFleet, readFleet, readWorlds } from "../../fleet/commands/manage_fleet.ts";
import { fetchBatch } from "../../fleet/batches/fetch_batch.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { type NatsServer, startNats, withoutNats } from "../support/nats_server.ts";

const options = { skip: withoutNats };
const POOL_KEY = "the key of the workers";

let nats: NatsServer;
let gateway: Gateway;
const workers: FleetWorker[] = [];

const worker = async (name: string, pool = "default", parkAfter?: number): Promise<FleetWorker> => {
  const join = { broker: { servers: nats.url }, slots: 1, pool, name, grace: 1000 };
  const common = { port: 0, device: "cpu", threads: 1, apiKey: POOL_KEY, log: () => {}, prepare: false } as const;
  const server = { ...common, ...(parkAfter !== undefined && { parkAfter }) };
  const started = await startFleetWorker(server, join);
  workers.push(started);
  return started;
};

before(async () => {
  if (withoutNats) return;
  nats = await startNats();
  await initFleet({ servers: nats.url }, { lease: 2000, lineLength: 3, replicas: 1 });
  gateway = await startGateway({
    broker: { servers: nats.url },
    host: "127.0.0.1",
    port: 0,
    allowOrigins: [],
    poolKey: POOL_KEY,
    pool: "default",
    maxWorlds: 3,
    lineLength: 2,
    log: () => {},
  });
});

after(async () => {
  await gateway?.close();
  for (const each of workers) await each.close();
  await nats?.stop();
});

const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const isBytes = body instanceof Uint8Array;
  const response = await fetch(gateway.url + path, {
    method,
    headers: { ...(body !== undefined && { "content-type": isBytes ? "image/png" : "application/json" }), ...headers },
    ...(body !== undefined && { body: isBytes ? body as BodyInit : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
};
const json = ({ bytes }: { bytes: Uint8Array }) => JSON.parse(new TextDecoder().decode(bytes));

test(
  "a world goes from worker to worker with its picture, and a request with a key is done once",
  options,
  async () => {
    const first = await worker("first");
    const key = { "idempotency-key": "open-one" };
    const opened = await ask("POST", "/v1/worlds", { name: "one" }, key);
    assert.equal(opened.status, 201, new TextDecoder().decode(opened.bytes));
    const { world_id, worker: at } = json(opened);
    assert.equal(at, "first");
    const again = await ask("POST", "/v1/worlds", { name: "one" }, key);
    assert.deepEqual([again.status, json(again).world_id], [201, world_id]);
    assert.equal(json(await ask("POST", "/v1/worlds", { name: "two" }, key)).error.code, "idempotency_key_reused");

    const base = `/worlds/${world_id}/v1/world`;
    const png = new Uint8Array(await readFile(new URL("../../models/corridor-nano/base/source.png", import.meta.url)));
    const sourceKey = { "idempotency-key": "source" };
    const source = await ask("POST", `${base}/session/source`, png, sourceKey);
    assert.equal(source.status, 200, new TextDecoder().decode(source.bytes));
    const frame = await ask("GET", `${base}/session/media/frame`);
    assert.equal(frame.status, 200);
    const part = await ask("GET", `${base}/session/media/frame`, undefined, { range: "bytes=0-99" });
    assert.deepEqual([part.status, part.bytes], [206, frame.bytes.slice(0, 100)]);

    // A worker answers nobody but its gateways.
    const direct = await fetch(`${first.url}${base}/session`);
    assert.equal(direct.status, 401);
    await direct.body?.cancel();
    const other = await fetch(`${first.url}/worlds/${crypto.randomUUID()}/v1/world/session`, {
      headers: { authorization: `Bearer ${POOL_KEY}` },
    });
    assert.equal((await other.json()).error.code, "world_moved");

    // A second world waits: the only slot is in use.
    const waiting = await ask("GET", "/v1/worlds/default");
    assert.deepEqual([waiting.status, json(waiting).phase, json(waiting).queue_position], [200, "waiting", 1]);

    const metrics = await fetch(`${first.url}/metrics`, { headers: { authorization: `Bearer ${POOL_KEY}` } });
    const measured = await metrics.text();
    assert.match(measured, /^svc_worker_journal_entries_total [1-9]/m);
    assert.match(measured, /^svc_moves_total\{kind="transition",outcome="completed"\} 0$/m);
    assert.match(measured, /^svc_worker_fenced_total 0$/m);

    await worker("second");
    await drainWorker({ servers: nats.url }, "first");
    await first.asked;
    const closed = first.close();
    const ready = await fetch(`${first.url}/ready`);
    assert.deepEqual([ready.status, await ready.json()], [503, { object: "readiness", ready: false }]);
    await closed;
    await worker("third");
    const moved = await ask("GET", `${base}/session/media/frame`);
    assert.deepEqual(moved.bytes, frame.bytes, "the same picture at another worker");
    const record = json(await ask("GET", `/v1/worlds/${world_id}`));
    assert.notEqual(record.worker, "first");
    assert.equal(record.continuity, "exact");
    const repeated = await ask("POST", `${base}/session/source`, png, sourceKey);
    assert.equal(repeated.headers.get("idempotency-replayed"), "true", "the key is known at the next worker");
    assert.deepEqual(json(repeated), json(source));
    const reused = await ask("POST", `${base}/session/reset`, {}, sourceKey);
    assert.equal(json(reused).error.code, "idempotency_key_reused");
    assert.equal((await ask("GET", "/v1/world/session")).status, 200, "the world that waited has a worker by now");
    const { workers: shown, worlds } = await readFleet({ servers: nats.url });
    assert.deepEqual(shown.map((each) => each.worker), ["second", "third"]);
    assert.equal(worlds.get("ready"), 2);
    const page = json(await ask("GET", "/v1/worlds?limit=1"));
    const rest = json(await ask("GET", `/v1/worlds?limit=1&after=${encodeURIComponent(page.next_after)}`));
    const listed = [...page.data, ...rest.data].map((world) => world.world_id);
    assert.deepEqual([page.has_more, rest.has_more, listed[0], listed.length], [true, false, world_id, 2]);
    const shownWorlds = await readWorlds({ servers: nats.url }, { limit: 1, after: page.next_after });
    assert.deepEqual(shownWorlds.worlds.map((world) => world.world_id), [listed[1]]);
    assert.equal(json(await ask("GET", "/v1/worlds?limit=0")).error.param, "limit");

    assert.equal(json(await ask("GET", "/worlds/nonsense/v1/world/session")).error.code, "invalid_world_id");
    assert.equal((await ask("GET", `/worlds/${crypto.randomUUID()}/v1/world/session`)).status, 404);
    assert.equal(json(await ask("DELETE", "/v1/worlds/default")).error.code, "default_world");
    const collect = async (dryRun: boolean) =>
      (await collectFleet({ broker: { servers: nats.url }, grace: 0, dryRun })).worlds;
    await assert.rejects(
      collectFleet({ broker: { servers: nats.url }, grace: 0, blobs: "not-of-this-fleet" }),
      /no worker of this fleet has used it/,
    );
    await collect(false); // what the first workers have left
    assert.deepEqual((await ask("GET", `${base}/session/media/frame`)).bytes, frame.bytes, "what is in use stays");
    assert.equal((await collect(true)).removed, 0);
    assert.equal((await ask("DELETE", `/v1/worlds/${world_id}`)).status, 200);
    assert.ok((await collect(false)).bytes >= frame.bytes.length, "the files of a world go with it");
    assert.equal((await ask("GET", `${base}/session`)).status, 404);
  },
);

test("a page that is left open does not keep a slot indefinitely", options, async () => {
  await worker("resting", "rest", 50);
  const { world_id } = json(await ask("POST", "/v1/worlds", { pool: "rest" }));
  const events = await fetch(`${gateway.url}/worlds/${world_id}/v1/world/events`);
  assert.equal(events.status, 200);
  const ended = events.text(); // the stream ends when the world is left
  for (let phase = "ready"; phase !== "parked";) {
    const { data } = json(await ask("GET", "/v1/worlds")); // asking for the world itself would be a use
    phase = data.find((world: { world_id: string }) => world.world_id === world_id).phase;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.match(await ended, /^event: snapshot$/m);
  assert.equal((await ask("GET", `/worlds/${world_id}/v1/world/session`)).status, 200, "a request opens it again");
});
test(
  "rollouts run in free slots, each once, and are fetched once; a bad one is set aside by name",
  options,
  async () => {
    const dataset = new WorldClient(gateway.url).rollouts("walks");
    const image = await dataset.addSource(new TextEncoder().encode("no picture"));
    const walk = { prompt: "a corridor", action_seq: ["w"], num_output_frames: 3, width: 96, height: 64, seed: 7 };
    const specs = [{ id: "first", ...walk }, { id: "bad", ...walk, source: image.sha256 }];
    assert.deepEqual(await dataset.submit(specs).then(({ added, known }) => [added, known]), [2, 0]);
    assert.deepEqual(await dataset.submit(specs).then(({ added, known }) => [added, known]), [0, 2]);
    await assert.rejects(dataset.submit([{ ...walk, id: "first", seed: 8 }]), { code: "rollout_conflict" });
    const wrong: [string, RegExp][] = [
      ['{"prompt": "x"}', /line 1 .*action_seq/],
      [`\n${JSON.stringify({ ...walk, id: "../x" })}`, /line 2 .*id is invalid/],
      [`${JSON.stringify({ ...walk, id: "a" })}\n${JSON.stringify({ ...walk, id: "a" })}`, /line 2 .*that of line 1/],
      [JSON.stringify({ ...walk, source: "/etc/passwd" }), /line 1 .*no SHA-256/],
      [JSON.stringify({ ...walk, output: "/x.mp4" }), /line 1 .*files of a server/],
      ["[]", /line 1 .*not a JSON object/],
      [JSON.stringify({ ...walk, prompt: "x".repeat(70_000) }), /line 1 .*more than 65536 characters/],
      ["", /there is none/],
    ];
    for (const [text, message] of wrong) {
      await assert.rejects(dataset.submit(text), { code: "invalid_rollout_spec", message });
    }
    let status = await dataset.status();
    for (; status.done + status.failed < 2; status = await dataset.status()) {
      await new Promise((go) => setTimeout(go, 100));
    }
    assert.deepEqual([status.rollouts, status.done, status.failed], [2, 1, 1]);
    assert.deepEqual(status.failures.map(({ item, attempts }) => [item, attempts]), [["bad", 1]]);
    const folder = await mkdtemp(join(tmpdir(), "svc-rollouts-"));
    assert.equal((await fetchBatch(dataset, folder)).fetched, 2);
    await writeFile(join(folder, "first.mp4"), "cut off");
    assert.equal((await fetchBatch(dataset, folder)).fetched, 1, "what is whole stays, what is not comes again");
    assert.deepEqual((await readdir(folder)).sort(), ["first.mp4", "first.png", "results.jsonl"]);
    await rm(folder, { recursive: true });
    const twin = new WorldClient(gateway.url).rollouts("twin");
    await twin.submit([{ ...walk, id: "same" }]);
    while ((await twin.status()).done < 1) await new Promise((go) => setTimeout(go, 100));
    assert.equal(await dataset.remove().then(({ removed }) => removed), 2);
    assert.ok((await twin.file("same", "video")).length > 0, "what another dataset has stays");
    const gone = json(await ask("DELETE", "/v1/rollouts/twin"));
    assert.deepEqual([gone.removed, gone.files, gone.bytes > 1000], [1, 2, true]);
    await assert.rejects(new WorldClient(gateway.url).rollouts("other").status(), { code: "rollout_not_found" });
  },
);
