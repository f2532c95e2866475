import { test } from "node:test";
import assert from "node:assert/strict";
import {
  cameraPosition,
  cameraYaw,
  chainViews,
  chunkRelativeViews,
  firstFrameRelativeViews,
  latentPixelFrames,
  latentViews,
  segmentLengths,
} from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const walk = (actions: string[], latentFrames: number, speed = 1.5, weights = actions.map(() => 1)) =>
  latentViews({ steps: actions.map(stepOfKeys), weights, latentFrames, speed });
const view = (views: Float32Array, k: number) => views.slice(16 * k, 16 * k + 16);

function near(actual: ArrayLike<number>, expected: readonly number[], tolerance = 1e-6): void {
  assert.equal(actual.length, expected.length);
  expected.forEach((e, i) => assert.ok(Math.abs(actual[i] - e) <= tolerance, `[${i}] is ${actual[i]}, expected ${e}`));
}

// @row world-session > Rollout > `action_speed_list`: durations of the segments
test("segmentLengths() rounds shares half to even and gives the remainder to the last segment", () => {
  assert.deepEqual(segmentLengths([4, 6, 6], 249), [62, 93, 94]);
  assert.deepEqual(segmentLengths([1, 1], 9), [4, 5]); // 4.5 -> 4
  assert.deepEqual(segmentLengths([3, 5], 20), [8, 12]); // 7.5 -> 8
  assert.deepEqual(segmentLengths([1], 21), [21]);
});

test("segmentLengths() gives every segment a frame while there is room and drops those after it", () => {
  assert.deepEqual(segmentLengths([1000, 1, 1, 1000], 9), [4, 1, 1, 3]);
  assert.deepEqual(segmentLengths([100, 1, 1, 1, 1], 9), [9, 0, 0, 0, 0]);
});

test("latentPixelFrames() counts 0, 1, 5, 9", () => {
  assert.deepEqual(latentPixelFrames(5), [0, 1, 5, 9, 13]);
});

test("chunkRelativeViews() is relative to the first view, then to the last view of the block before", () => {
  const views = chunkRelativeViews(walk(["w"], 6));
  near([0, 1, 2, 3, 4, 5].map((k) => views[16 * k + 11]), [0, -0.075, -0.375, -0.3, -0.6, -0.9]);
  const turned = chunkRelativeViews(walk(["l"], 6));
  near([0, 1, 2, 3, 4, 5].map((k) => cameraYaw(view(turned, k))), [0, 1.5, 7.5, 6, 12, 18], 1e-4);
  near(view(turned, 1).slice(0, 3), [0.999657, 0, -0.026177]);
});

// @row world-session > Rollout > `action_seq`
test("latentViews() looks up with i and walks along the new direction after a turn", () => {
  const up = firstFrameRelativeViews(walk(["i"], 3));
  near(view(up, 2).slice(8, 11), [0, -0.130526, 0.991445]);
  near(view(chunkRelativeViews(walk(["w", "wj"], 9, 1.5, [4, 6])), 8), [
    ...[0.951056, 0, 0.309017, -0.128617],
    ...[0, 1, 0, 0],
    ...[-0.309017, 0, 0.951056, -0.887053],
    ...[0, 0, 0, 1],
  ]);
});

test("latentViews() holds still on space, on unknown keys and on opposite keys", () => {
  for (const keys of [" ", "", "xyz", "ws", "adjlik"]) {
    near(firstFrameRelativeViews(walk([keys], 3)), [...IDENTITY, ...IDENTITY, ...IDENTITY], 0);
  }
});

// @row world-session > Rollout > `action_seq`
test("latentViews() adds keys of a diagonal without normalising them and scales with speed", () => {
  near(cameraPosition(view(firstFrameRelativeViews(walk(["wd"], 3, 2)), 2)), [0.5, 0, 0.5]);
});

test("chainViews() continues a walk where the last one ended", () => {
  const pose = (views: Float32Array) => [...cameraPosition(views.slice(-16)), cameraYaw(views.slice(-16))];
  const first = chainViews(firstFrameRelativeViews(walk(["l"], 6)), IDENTITY);
  const second = chainViews(firstFrameRelativeViews(walk(["w"], 3)), first.slice(-16));
  near(view(second, 0), [...first.slice(-16)], 0);
  const angle = 25.5 * Math.PI / 180;
  near(pose(second), [0.375 * Math.sin(angle), 0, 0.375 * Math.cos(angle), 25.5], 1e-5);
  const back = chainViews(firstFrameRelativeViews(walk(["s"], 3)), second.slice(-16));
  near(pose(back), pose(first), 1e-5);
});
