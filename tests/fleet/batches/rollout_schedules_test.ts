import assert from "node:assert/strict";
import { test } from "node:test";
import { runRollouts } from "../simulation/rollout_schedule.ts";

test("every rollout ends once, with its own result, while workers die, stand still and are cut off", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    assert.deepEqual(await runRollouts(seed), [], `seed ${seed}`);
  }
});
