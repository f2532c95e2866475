import { test } from "node:test";
import assert from "node:assert/strict";
import { cameraMatrices, INTRINSICS } from "../../../lib/models/arworld/camera.ts";
import { chunkRelativeViews, latentViews, multiply4 } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";

const views = chunkRelativeViews(
  latentViews({ steps: ["wji", "dk"].map(stepOfKeys), weights: [1, 1], latentFrames: 6, speed: 3 }),
);

test("cameraMatrices() gives matrices whose products with their inverses are the identity", () => {
  const { p, pInverse } = cameraMatrices(views);
  for (let k = 0; k < 6; k++) {
    multiply4(p, k, pInverse, k).forEach((x, i) => assert.ok(Math.abs(x - Number(i % 5 === 0)) < 1e-6, `${k}: ${x}`));
  }
});

test("cameraMatrices() scales the rows for x and y by the focal lengths and transposes", () => {
  const { p, pTransposed } = cameraMatrices(views, { fx: 2, fy: 3 });
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      assert.equal(p[16 + 4 * i + j], Math.fround([2, 3, 1, 1][i] * views[16 + 4 * i + j]));
      assert.equal(pTransposed[16 + 4 * j + i], p[16 + 4 * i + j]);
    }
  }
});

test("INTRINSICS is the lens of the released weights", () => {
  assert.ok(Math.abs(INTRINSICS.fx - 0.505051) < 1e-6);
  assert.ok(Math.abs(INTRINSICS.fy - 0.897868) < 1e-6);
});
