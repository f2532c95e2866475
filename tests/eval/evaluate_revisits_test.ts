import { test } from "node:test";
import assert from "node:assert/strict";
import { DEFAULT_SCENE_MEMORY, DISABLED_SCENE_MEMORY } from "../../lib/world/protocol/scene_memory_policy.ts";
import { FakeClipModel } from "../support/fake_clip_model.ts";
import { FakeWorldModel } from "../support/fake_world_model.ts";
import { PLACES } from "../fixtures/places/place.ts";
import { actionsPerFrame, walkPlace } from "../fixtures/places/walk_place.ts";
import { drawScenes, keptByWalls, SPEED } from "./eval_scenes.ts";
import {
  actionworldWalker,
  arworldWalker,
  blocksOf,
  imagePsnr,
  type MotionName,
  MOTIONS,
  revisit,
  scoreRevisits,
} from "./evaluate_revisits.ts";

const size = { width: 32, height: 32 };
const picture = (value: number) => ({ ...size, data: new Uint8Array(32 * 32 * 3).fill(value) });
const from = { image: picture(90), prompt: "a corridor", seed: 7n };
const motions = Object.keys(MOTIONS) as MotionName[];

test("imagePsnr() is 60 dB for equal images and follows the mean square error", () => {
  assert.equal(imagePsnr(picture(40), picture(40)), 60);
  assert.ok(Math.abs(imagePsnr(picture(40), picture(91)) - 20 * Math.log10(5)) < 1e-9);
});

test("revisit() ends at the pose that it left, on both kinds of world and for every motion", async () => {
  const worlds = {
    arworld: arworldWalker(new FakeWorldModel(), size, DEFAULT_SCENE_MEMORY),
    actionworld: actionworldWalker(new FakeClipModel(), size, { fps: 16, steps: 1 }),
  };
  for (const [name, walker] of Object.entries(worlds)) {
    for (const motion of motions) {
      for (const blocks of [1, 8]) {
        const { distance, angle } = await revisit(walker, from, motion, blocks);
        assert.ok(distance < 1e-5 && angle < 1e-4, `${name}, ${motion}, ${blocks}: ${distance}, ${angle}`);
      }
    }
  }
});

test("revisit() goes away: the far end is another pose", async () => {
  for (const motion of motions) {
    const walker = arworldWalker(new FakeWorldModel(), size, DISABLED_SCENE_MEMORY);
    await walker.begin(from);
    const before = await walker.walk("w", 1);
    let far = before;
    for (const keys of MOTIONS[motion].out) far = await walker.walk(keys, 1);
    assert.ok(far.pose.some((value, i) => Math.abs(value - before.pose[i]) > 0.1), motion);
  }
});

test("revisit() generates every block, and scene memory restores the place's latent in the last one", async () => {
  for (const motion of motions) {
    const model = new FakeWorldModel();
    await revisit(arworldWalker(model, size, DEFAULT_SCENE_MEMORY), from, motion, 2);
    const keys = MOTIONS[motion].out.length + MOTIONS[motion].back.length;
    assert.equal(model.requests.length, 1 + 2 * keys);
    assert.deepEqual(model.requests.map(({ seed }) => seed), model.requests.map((_, depth) => 7n + BigInt(depth)));
    // The first block ends with latent 2, whose pose is that of the return.
    const recalled = model.requests.at(-1)!.memory!.recall.find(({ frame }) => frame === 2);
    assert.deepEqual(recalled, { frame: 2, latent: 2, strength: 1 }, motion);
  }
});

test("revisit() without scene memory keeps and recalls nothing", async () => {
  const model = new FakeWorldModel();
  await revisit(arworldWalker(model, size, DISABLED_SCENE_MEMORY), from, "rectangle", 4);
  const used = model.requests.flatMap(({ memory }) => [...memory!.recall, ...memory!.store, ...memory!.forget]);
  assert.deepEqual(used, []);
});

test("revisit() gives the same figures for the same seed, whatever was walked before", async () => {
  const walker = arworldWalker(new FakeWorldModel(), size, DEFAULT_SCENE_MEMORY);
  const first = await revisit(walker, from, "yaw", 2);
  await revisit(walker, { ...from, seed: 8n }, "strafe", 4);
  assert.deepEqual(await revisit(walker, from, "yaw", 2), first);
});

test("scoreRevisits() has mean and worst of each motion and distance", () => {
  const walk = (blocks: number, psnr: number, away: number) =>
    ({ motion: "yaw", blocks, psnr, away, distance: 0, angle: 0 }) as const;
  assert.deepEqual(scoreRevisits([walk(1, 30, 15), walk(2, 20, 10), walk(1, 26, 17)]), [
    { motion: "yaw", blocks: 1, mean: 28, worst: 26, away: 16 },
    { motion: "yaw", blocks: 2, mean: 20, worst: 20, away: 10 },
  ]);
});

test("walks away in a courtyard begin where eight blocks of every motion meet neither wall nor well", () => {
  const { courtyard, corridor } = PLACES;
  const kept = (place: typeof courtyard | typeof corridor, motion: MotionName, blocks: number) =>
    drawScenes(40, 3, { ...place, start: place.startFar }).map((scene) =>
      keptByWalls(scene, (slide) => walkPlace(actionsPerFrame(blocksOf(motion, blocks)), scene.start, SPEED, slide))
    );
  for (const motion of motions) assert.equal(Math.max(...kept(courtyard, motion, 8)), 0, motion);
  assert.ok(Math.min(...kept(courtyard, "forward", 12)) > 1);
  assert.ok(Math.min(...kept(corridor, "strafe", 8)) > 4);
});
