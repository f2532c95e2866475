import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edge, isInverseMove, isOpposite } from "../../../lib/world/session/graph/edges.ts";
import { INITIAL_STATE } from "../../../lib/world/session/graph/session_state.ts";
import type { CameraMotion, CameraRecord } from "../../../lib/world/protocol/job_record.ts";

const camera = (motion: CameraMotion, t = [0, 0, 0], r = [0, 0, 0]): CameraRecord => ({
  motion,
  translationMeters: t as unknown as CameraRecord["translationMeters"],
  rotationDegrees: r as unknown as CameraRecord["rotationDegrees"],
});
const edge: Edge = {
  id: "a",
  camera: camera("forward", [0, 0, 0.5]),
  geometry: { width: 96, height: 64 },
  fps: 24,
  numFrames: 17,
  seed: 42n,
  replayReceipt: {},
  source: INITIAL_STATE,
};
const back = camera("backward", [0, 0, -0.5]);
const open = { width: undefined, height: undefined, fps: undefined, numFrames: undefined };

test("isOpposite() pairs each motion with its opposite, custom with custom and hold with none", () => {
  const pairs: [CameraMotion, CameraMotion][] = [
    ["forward", "backward"],
    ["strafeLeft", "strafeRight"],
    ["yawLeft", "yawRight"],
    ["custom", "custom"],
  ];
  const motions = [...new Set(pairs.flat()), "hold" as const];
  for (const a of motions) {
    for (const b of motions) {
      const expected = pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
      assert.equal(isOpposite(camera(a), camera(b)), expected, `${a} ${b}`);
    }
  }
});

test("isOpposite() requires every component cancelled within 1e-4", () => {
  for (let axis = 0; axis < 3; axis++) {
    const at = (n: number) => [0, 1, 2].map((i) => i === axis ? n : 0);
    assert.ok(isOpposite(camera("forward", at(2)), camera("backward", at(-2.00009))));
    assert.ok(!isOpposite(camera("forward", at(2)), camera("backward", at(-2.00011))));
    assert.ok(!isOpposite(camera("forward", at(2)), camera("backward", at(2))));
    assert.ok(isOpposite(camera("custom", [], at(15)), camera("custom", [], at(-15))));
    assert.ok(!isOpposite(camera("custom", [], at(15)), camera("custom", [], at(15))));
  }
});

test("isInverseMove() accepts size, rate and length that are equal or left out", () => {
  assert.ok(isInverseMove(edge, { ...open, camera: back }));
  assert.ok(isInverseMove(edge, { camera: back, width: 96, height: 64, fps: 24, numFrames: 17 }));
  for (const wrong of [{ width: 64 }, { height: 96 }, { fps: 30 }, { numFrames: 21 }]) {
    assert.ok(!isInverseMove(edge, { ...open, camera: back, ...wrong }), JSON.stringify(wrong));
  }
});
