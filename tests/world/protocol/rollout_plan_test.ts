import assert from "node:assert/strict";
import { test } from "node:test";
import { planRollout } from "../../../lib/world/protocol/move_plan.ts";

function near(found: readonly number[], expected: readonly number[]): void {
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-5, `${i}: ${value} is not ${expected[i]}`));
}

test("planRollout() moves 4n - 7 steps in n latents", () => {
  for (const [latentFrames, steps] of [[3, 5], [6, 17], [12, 41], [21, 77], [63, 245]]) {
    const plan = planRollout({ actions: ["d"], weights: [1], latentFrames, speed: 1.5 });
    assert.equal(plan.blocks.length, latentFrames / 3);
    near([plan.terminalPose[3]], [-0.075 * steps]);
  }
});

test("planRollout() starts each rollout at the pose where the last one ended", () => {
  const turn = planRollout({ actions: ["l"], weights: [1], latentFrames: 3, speed: 1.5 });
  const on = planRollout({ actions: ["w"], weights: [1], latentFrames: 3, speed: 1.5 }, turn.terminalPose);
  const angle = 7.5 * Math.PI / 180;
  near(turn.terminalPose, [
    Math.cos(angle),
    0,
    -Math.sin(angle),
    0,
    0,
    1,
    0,
    0,
    Math.sin(angle),
    0,
    Math.cos(angle),
    0,
    0,
    0,
    0,
    1,
  ]);
  // Straight ahead changes only the distance along the camera's own axis.
  near(on.terminalPose.slice(0, 11), turn.terminalPose.slice(0, 11));
  near([on.terminalPose[11]], [-0.375]);
});

test("planRollout() plans a return that ends at the start", () => {
  const out = planRollout({ actions: ["wl"], weights: [1], latentFrames: 6, speed: 1.5 });
  const there = planRollout({ actions: ["d"], weights: [1], latentFrames: 6, speed: 1.5 }, out.terminalPose);
  const back = planRollout({ actions: ["a"], weights: [1], latentFrames: 6, speed: 1.5 }, there.terminalPose);
  near(back.terminalPose, out.terminalPose);
});

test("planRollout() gives every block three views relative to the view before it", () => {
  const { blocks } = planRollout({ actions: ["w"], weights: [1], latentFrames: 6, speed: 1.5 });
  assert.deepEqual(blocks.map((block) => block.views.length), [48, 48]);
  near([0, 1, 2].map((k) => blocks[0].views[16 * k + 11]), [0, -0.075, -0.375]);
  near([0, 1, 2].map((k) => blocks[1].views[16 * k + 11]), [-0.3, -0.6, -0.9]);
});
