import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetClock } from "../../../fleet/nats/connect_fleet.ts";
import { OpenRollouts } from "../../../fleet/batches/each_rollout.ts";
import type { NatsBatches } from "../../../fleet/nats/nats_batches.ts";
import type { RolloutRecord } from "../../../fleet/protocol/rollout_records.ts";

/** Records in the order of their last changes, three a page. */
function pagesOf() {
  const changes: RolloutRecord[] = [];
  const asked: number[] = [];
  const page: NatsBatches["page"] = (from) => {
    asked.push(from);
    const records = changes.slice(from - 1, from + 2);
    return Promise.resolve({ records, next: from + records.length, isLast: records.length < 3 });
  };
  const set = (item: string, phase: RolloutRecord["phase"]): void => {
    changes.push({ tenant: "t", dataset: "d", item, pool: "p", spec: "{}", attempt: 0, phase });
  };
  return { changes, asked, set, at: { broker: { page }, clock: fleetClock(), signal: new AbortController().signal } };
}

test("rollouts that have ended are looked at once", async () => {
  const { set, at, asked } = pagesOf();
  const open = new OpenRollouts();
  for (let i = 0; i < 10; i++) set(`i${i}`, i < 8 ? "done" : "waiting");
  assert.equal(await open.count(at, "t", false), 2);
  assert.deepEqual(asked.splice(0), [1, 4, 7, 10]);
  assert.equal(await open.count(at, "t", false), 2);
  set("i8", "failed");
  set("i10", "running");
  set("i10", "done");
  set("i11", "waiting");
  assert.equal(await open.count(at, "t", false), 2);
  assert.deepEqual(asked, [11, 11, 14]);
});

test("an exact count includes removals, and the next count continues from it", async () => {
  const { changes, set, at } = pagesOf();
  const open = new OpenRollouts();
  for (let i = 0; i < 4; i++) set(`i${i}`, "waiting");
  assert.equal(await open.count(at, "t", false), 4);
  changes.splice(0, 3);
  assert.equal(await open.count(at, "t", false), 4);
  assert.equal(await open.count(at, "t", true), 1);
  set("i5", "waiting");
  assert.equal(await open.count(at, "t", false), 2);
});
