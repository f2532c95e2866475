import assert from "node:assert/strict";
import { test } from "node:test";
import { latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import type { Matrix4 } from "../../../lib/world/protocol/pose.ts";
import { positionDistance, rotationAngle } from "../../../lib/world/session/scene/revisit_rule.ts";

/** The pose of latent 4, which is that of the fourteenth frame of keys, rounded to 32 bits. */
function poseAfter(keys: string, speed: number): Matrix4 {
  return [...latentViews({ steps: [stepOfKeys(keys)], weights: [1], latentFrames: 5, speed }).subarray(4 * 16)];
}

test("rotationAngle() is the turn between two poses about any axis", () => {
  const start = poseAfter(" ", 1);
  const turned = (keys: string) => rotationAngle(start, poseAfter(keys, 1));
  assert.ok(Math.abs(turned("l") - 14) < 1e-5);
  assert.ok(Math.abs(turned("j") - 14) < 1e-5);
  assert.ok(Math.abs(turned("i") - 14) < 1e-5);
  assert.ok(Math.abs(rotationAngle(poseAfter("i", 1), poseAfter("k", 1)) - 28) < 1e-5);
  assert.ok(Math.abs(rotationAngle(start, poseAfter("l", 180 / 14)) - 180) < 1e-3);
});

test("rotationAngle() is far below a hundredth of a degree when equal poses are rounded to 32 bits", () => {
  const [a, b] = [poseAfter("il", 3.7), poseAfter("il", 3.7).map((x, i) => i % 2 ? x : x * (1 + 6e-8))];
  assert.ok(rotationAngle(a, b) < 1e-4);
  assert.equal(rotationAngle(a, a), 0);
});

test("positionDistance() is the way between two cameras, wherever they look", () => {
  const moved = poseAfter("w", 1); // 14 frames of 0.05
  assert.ok(Math.abs(positionDistance(poseAfter(" ", 1), moved) - 0.7) < 1e-6);
  assert.ok(positionDistance(poseAfter("l", 5), poseAfter("i", 5)) < 1e-6);
});
