import assert from "node:assert/strict";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { initFleet } from "../../../fleet/commands/manage_fleet.ts";
import { fetchBatch } from "../../../fleet/batches/fetch_batch.ts";
import { submitBatch } from "../../../fleet/batches/submit_batch.ts";
import { startGateway } from "../../../fleet/gateway/start_gateway.ts";
import { connectBroker } from "../../../fleet/nats/connect_broker.ts";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import { startNats, withoutNats } from "../../support/nats_server.ts";

/** More than a page of the broker and more than a request takes; `SVC_ROLLOUTS=120000` makes it a proof. */
const COUNT = Number(process.env["SVC_ROLLOUTS"] ?? 1_300);

test("a large dataset is submitted in parts, resumes where it stopped, and is read as a stream", {
  skip: withoutNats,
}, async (t) => {
  const nats = await startNats();
  const folder = await mkdtemp(join(tmpdir(), "svc-large-dataset-"));
  const servers = { servers: nats.url };
  await initFleet(servers, { lease: 2000, lineLength: 3, replicas: 1 });
  const common = { broker: servers, host: "127.0.0.1", port: 0, allowOrigins: [], pool: "default", log: () => {} };
  const gateway = await startGateway({ ...common, maxWorlds: 3, lineLength: 2 });
  const broker = await connectBroker({ ...servers, name: "test" });
  try {
    const path = join(folder, "specs.jsonl");
    const file = await open(path, "w");
    for (let i = 0; i < COUNT; i++) await file.write(`{"prompt":"p","action_seq":["w"],"seed":${i}}\n\n\n\n\n`);
    await file.close();
    let broken = 0;
    const client = new WorldClient(gateway.url, {
      fetch: async (request: RequestInfo | URL) => {
        if (broken++ === 1) throw new Error("the network is away");
        return await fetch(request as Request);
      },
    });
    const dataset = client.rollouts("large");
    await assert.rejects(submitBatch(dataset, path, undefined), { code: "unreachable" });
    const begun = performance.now();
    const { specs, added } = await submitBatch(dataset, path, undefined);
    t.diagnostic(`${COUNT} specs: ${added} added in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    assert.equal(specs, COUNT);
    assert.ok(added < COUNT && added > 0, "what was there before stays");
    const { rollouts, waiting } = await dataset.status();
    assert.deepEqual([rollouts, waiting], [COUNT, COUNT]);

    // A worker sets every eleventh one aside.
    const { rollouts: bucket, page } = broker.batches;
    let set = 0;
    for (let from = 1, isLast = false; !isLast && set < 110;) {
      const found: Awaited<ReturnType<typeof page>> = await page(from, "default", "large");
      for (const [i, record] of found.records.entries()) {
        if (i % 11 !== 0 || record.phase !== "waiting") continue;
        const key = `default.large.${record.item}`;
        const { revision } = (await bucket.get(key))!;
        await bucket.update(key, { ...record, phase: "failed", attempt: 1, reason: "it is a test" }, revision);
        set++;
      }
      ({ next: from, isLast } = found);
    }
    const names = new Set<string>();
    for await (const { item, phase, reason } of dataset.results()) {
      assert.deepEqual([phase, reason], ["failed", "it is a test"]);
      names.add(item);
    }
    assert.equal(names.size, set, "each that has ended comes once");
    const status = await dataset.status();
    assert.deepEqual([status.failed, status.failures.length], [set, 100]);

    const out = join(folder, "out");
    const fetched = await fetchBatch(dataset, out);
    assert.deepEqual([fetched.done, fetched.failed, fetched.failures.length], [0, set, 100]);
    assert.deepEqual(await readdir(out), ["results.jsonl"]);
    assert.equal((await readFile(join(out, "results.jsonl"), "utf8")).split("\n").length, set + 1);
    const read = performance.now();
    assert.equal((await dataset.status()).rollouts, COUNT);
    t.diagnostic(`status in ${((performance.now() - read) / 1000).toFixed(2)} s`);
    assert.equal((await dataset.remove()).removed, COUNT);
    await assert.rejects(dataset.status(), { code: "rollout_not_found" });
  } finally {
    await broker.close();
    await gateway.close();
    await nats.stop();
    await rm(folder, { recursive: true });
  }
});
