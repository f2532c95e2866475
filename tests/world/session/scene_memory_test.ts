import assert from "node:assert/strict";
import { test } from "node:test";
import { type Matrix4, ORIGIN } from "../../../lib/world/protocol/pose.ts";
import { planRollout } from "../../../lib/world/protocol/move_plan.ts";
import { NO_MEMORIES, type SceneMemory, visitBlock } from "../../../lib/world/session/scene/scene_memory.ts";
import { DISABLED_SCENE_MEMORY, sceneMemoryPolicy } from "../../../lib/world/protocol/scene_memory_policy.ts";

const policy = sceneMemoryPolicy();

/** A level pose on the x axis. */
const at = (x: number): Matrix4 => ORIGIN.with(3, -x);

/** A walk of three latents in strange places, so that nothing is found again by chance. */
const away = (n: number): Matrix4[] => [at(100 * n), at(100 * n + 1), at(100 * n + 2)];

const latents = ({ entries }: SceneMemory) => entries.map(({ latent }) => latent);

/** The memory after blocks, the first of which starts at latent 0. */
function remember(blocks: readonly (readonly Matrix4[])[], rules = policy): SceneMemory {
  return blocks.reduce((memory, poses, n) => visitBlock(memory, rules, 3 * n, poses).memory, NO_MEMORIES);
}

/** The memory of a walk of one action a rollout. */
function walk(actions: string, latentFrames: number, rules = policy): SceneMemory {
  let pose = ORIGIN;
  const blocks = [...actions].flatMap((action) => {
    const plan = planRollout({ actions: [action], weights: [1], latentFrames, speed: 1.5 }, pose);
    pose = plan.terminalPose;
    return plan.blocks.map(({ poses }) => poses);
  });
  return remember(blocks, rules);
}

// @row world-session > Scene memory > The published walk
test("visitBlock() finds the published 295 returns in the walk of 104 moves", () => {
  const memory = walk("wdsajllj".repeat(13), 3);
  assert.deepEqual([memory.retrievals, memory.recycled, memory.entries.length], [295, 293, 14]);
});

test("visitBlock() finds the returns of out-and-back and turning walks", () => {
  const counts = (memory: SceneMemory) => [memory.retrievals, memory.recycled, memory.entries.length];
  assert.deepEqual(counts(walk("dddaaa", 6)), [16, 5, 28]);
  assert.deepEqual(counts(walk("dddddd", 6)), [0, 0, 31]);
  assert.deepEqual(counts(walk("wsjlljj", 6)), [21, 11, 28]);
  assert.deepEqual(counts(walk("wdsa", 12)), [1, 1, 44]);
});

test("visitBlock() stores each latent at a new place and notifies the model", () => {
  const { memory, block } = visitBlock(NO_MEMORIES, policy, 0, [at(0), at(1), at(1)]);
  assert.deepEqual(latents(memory), [0, 1]);
  assert.deepEqual(block, {
    recall: [],
    store: [{ frame: 0, latent: 0 }, { frame: 1, latent: 1 }],
    forget: [],
  });
});

// @row world-session > Scene memory > An exact return restores the latent
test("visitBlock() restores a latent completely when the place is the same and draws towards it when it is near", () => {
  const { memory, block } = visitBlock(remember([away(1), away(2)]), policy, 6, [at(100.0005), at(101.05), at(5)]);
  assert.deepEqual(block.recall, [{ frame: 0, latent: 0, strength: 1 }, { frame: 1, latent: 1, strength: 0.08 }]);
  assert.deepEqual([memory.retrievals, memory.recycled], [2, 1]);
});

// @row world-session > Scene memory > The first latent of a place is kept
test("visitBlock() keeps the first latent of a place when the camera returns there", () => {
  const before = remember([away(1), away(2)]);
  const { memory, block } = visitBlock(before, policy, 6, [at(100), at(101.05), at(5)]);
  assert.deepEqual(latents(memory), [0, 1, 2, 3, 4, 5, 7, 8]);
  assert.deepEqual(block.store, [{ frame: 1, latent: 7 }, { frame: 2, latent: 8 }]);
});

test("visitBlock() does not look for the first latent of a chain", () => {
  const known: SceneMemory = { ...NO_MEMORIES, entries: [{ latent: -10, pose: at(0) }] };
  assert.deepEqual(visitBlock(known, policy, 0, [at(0), at(0), at(9)]).block.recall, [
    { frame: 1, latent: -10, strength: 1 },
  ]);
});

// @row world-session > Scene memory > Gap, rotation and distance of a return
test("visitBlock() takes limits as inclusive and ignores what lies beyond them", () => {
  const before = remember([away(1), away(2)], sceneMemoryPolicy({ maxTranslation: 0.5, exactTranslation: 0.25 }));
  const rules = sceneMemoryPolicy({ maxTranslation: 0.5, exactTranslation: 0.25 });
  const { block } = visitBlock(before, rules, 6, [at(99.5), at(99.75), at(99.4375)]);
  assert.deepEqual(block.recall.map(({ frame, strength }) => [frame, strength]), [[0, 0.08], [1, 1]]);
});

// @row world-session > Scene memory > Gap, rotation and distance of a return
test("visitBlock() requires the minimum gap at first and a fifth of the walk later on", () => {
  const start = remember([[at(0), at(1), at(2)]]);
  const gaps = visitBlock(start, policy, 3, [at(0), at(2), at(2)]).block.recall;
  assert.deepEqual(gaps.map(({ frame, latent }) => [frame, latent]), [[0, 0], [2, 2]]);
  const late: SceneMemory = { ...NO_MEMORIES, entries: [{ latent: 80, pose: at(0) }] };
  const found = (target: number) => visitBlock(late, policy, target, [at(0), at(9), at(9)]).block.recall.length;
  assert.deepEqual([found(99), found(100)], [1, 1]);
  const later: SceneMemory = { ...NO_MEMORIES, entries: [{ latent: 81, pose: at(0) }] };
  const foundLater = (target: number) => visitBlock(later, policy, target, [at(0), at(9), at(9)]).block.recall.length;
  assert.deepEqual([foundLater(99), foundLater(100), foundLater(101)], [0, 0, 1]);
});

test("visitBlock() takes the nearest latent, and the oldest of equally near ones", () => {
  const before = remember([[at(0), at(0.0625), at(50)], away(1)]);
  const recalled = (x: number) => visitBlock(before, policy, 6, [at(x), at(60), at(70)]).block.recall[0].latent;
  assert.deepEqual([recalled(0.046875), recalled(0.03125), recalled(0.015625)], [1, 0, 0]);
});

test("visitBlock() weighs a tenth of a unit like one degree", () => {
  const recalled = (degrees: number) => {
    const before = remember([[at(100.0625), ...pitches([degrees]), at(50)], away(2)]);
    return visitBlock(before, policy, 6, [at(100), at(60), at(70)]).block.recall[0].latent;
  };
  assert.deepEqual([recalled(0.6), recalled(0.65)], [1, 0]);
});

// @row world-session > Scene memory > Gap, rotation and distance of a return
test("visitBlock() takes no look up or down for the level view of the same spot", () => {
  const { block } = visitBlock(remember([away(1), away(2)]), policy, 6, pitches([1, 3, 90]));
  assert.deepEqual(block.recall, [{ frame: 0, latent: 0, strength: 0.08 }]);
});

test("visitBlock() finds the view straight up again, which has no yaw", () => {
  const before = remember([pitches([0, 45, 90]), away(2)]);
  const { block } = visitBlock(before, policy, 6, pitches([20, 90, 60]));
  assert.deepEqual(block.recall, [{ frame: 1, latent: 2, strength: 1 }]);
});

// @row world-session > Scene memory > The origin stays, the oldest other one goes
test("visitBlock() gives up the oldest latent but never the origin when the memory is full", () => {
  const rules = sceneMemoryPolicy({ maxFrames: 4 });
  const { memory, block } = visitBlock(remember([away(1)], rules), rules, 3, away(2));
  assert.deepEqual(latents(memory), [0, 3, 4, 5]);
  assert.deepEqual(block.forget, [1, 2]);
  assert.deepEqual(block.store.map(({ latent }) => latent), [3, 4, 5]);
});

test("visitBlock() hides from the model latents that come and go within the block", () => {
  const rules = sceneMemoryPolicy({ maxFrames: 2 });
  const { memory, block } = visitBlock(remember([away(1)], rules), rules, 3, away(2));
  assert.deepEqual(latents(memory), [0, 5]);
  assert.deepEqual(block, { recall: [], store: [{ frame: 2, latent: 5 }], forget: [2] });
  const single = sceneMemoryPolicy({ maxFrames: 1 });
  assert.deepEqual(visitBlock(remember([away(1)], single), single, 3, away(2)).block, {
    recall: [],
    store: [],
    forget: [],
  });
});

// @row world-session > Scene memory > A return draws towards the kept latent by `strength`
test("visitBlock() counts returns but applies none when the strength is 0", () => {
  const rules = sceneMemoryPolicy({ strength: 0 });
  const { memory, block } = visitBlock(remember([away(1), away(2)], rules), rules, 6, away(1));
  assert.deepEqual(block.recall, []);
  assert.deepEqual([memory.retrievals, memory.recycled], [3, 0]);
});

test("visitBlock() stores nothing when nothing may be stored or memory is disabled", () => {
  for (const rules of [sceneMemoryPolicy({ maxFrames: 0 }), DISABLED_SCENE_MEMORY]) {
    const { memory, block } = visitBlock(remember([away(1), away(2)], rules), rules, 6, away(1));
    assert.deepEqual([memory, block], [NO_MEMORIES, { recall: [], store: [], forget: [] }]);
  }
});

test("visitBlock() leaves the memory it was given as it was", () => {
  const before = remember([away(1)]);
  const copy = structuredClone(before);
  visitBlock(before, sceneMemoryPolicy({ maxFrames: 3 }), 3, away(1));
  assert.deepEqual(before, copy);
});

/** Poses at 100 that look up by these degrees. */
function pitches(degrees: readonly number[]): Matrix4[] {
  return degrees.map((degree) => {
    const [c, s] = [Math.cos(degree * Math.PI / 180), Math.sin(degree * Math.PI / 180)];
    return [1, 0, 0, -100, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1];
  });
}
