import assert from "node:assert/strict";
import { test } from "node:test";
import { MoveCounts } from "../../../lib/world/host/world_metrics.ts";

test("moves are counted by how they end, and everything is still logged", () => {
  const moves = new MoveCounts();
  const logged: string[] = [];
  const log = moves.counting((level, event) => logged.push(`${level} ${event}`));
  log("info", "transition_completed", { job_id: "1" });
  log("info", "transition_completed", { job_id: "2" });
  log("error", "rollout_failed", { job_id: "3" });
  log("info", "world_placed");
  assert.equal(logged.length, 4);
  const [[, , , samples]] = moves.families();
  const counted = samples.filter(([, count]) => Number(count) > 0).map((
    [labels, count],
  ) => [Object.values(labels!), count]);
  assert.deepEqual([samples.length, counted], [6, [[["transition", "completed"], 2], [["rollout", "failed"], 1]]]);
});
