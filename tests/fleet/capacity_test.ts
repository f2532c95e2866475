import assert from "node:assert/strict";
import { test } from "node:test";
import { askFleet } from "./capacity/fleet_model.ts";
import { quantile } from "./capacity/tally.ts";

const fleet = { seed: 3, worlds: 60, gateways: 2, line: 100, warm: 40, seconds: 50 };

test("with a GPU for every world none waits, with a quarter of one the last per cent does", async () => {
  const roomy = await askFleet({ ...fleet, workers: 66, slots: 1, event: "none" });
  const tight = await askFleet({ ...fleet, workers: 17, slots: 4, event: "none" });
  assert.ok(roomy.waits.length > 300 && roomy.unanswered === 0);
  assert.ok(quantile(roomy.waits, 0.99) < 50, `${quantile(roomy.waits, 0.99)} ms`);
  assert.ok(quantile(tight.waits, 0.99) > 2000, `${quantile(tight.waits, 0.99)} ms`);
  assert.ok(tight.busy > 2 * roomy.busy && tight.busy < 1);
});

test("the worlds of a lost zone are all with other workers within the lease, the grace and a restore", async () => {
  const tally = await askFleet({ ...fleet, workers: 48, slots: 2, event: "zone" });
  assert.ok(tally.takeovers.length > 10 && tally.left === 0, `${tally.takeovers.length} and ${tally.left}`);
  assert.ok(Math.max(...tally.takeovers) < 20_000 + 500 + 2 * 3000 + 1000, `${Math.max(...tally.takeovers)} ms`);
});

test("a deploy loses no world", async () => {
  const tally = await askFleet({ ...fleet, workers: 33, slots: 2, event: "deploy" });
  assert.ok(tally.takeovers.length > 30 && tally.left === 0 && tally.unanswered === 0);
});
