import assert from "node:assert/strict";
import { test } from "node:test";
import { World, type WorldParts } from "../../../lib/app/world/world.ts";
import { DISABLED_SCENE_MEMORY } from "../../../lib/world/protocol/scene_memory_policy.ts";
import { FakeMedia } from "../../support/fake_media.ts";
import { FakeWorldModel } from "../../support/fake_world_model.ts";

async function openFake(
  parts: Partial<WorldParts> = {},
): Promise<{ world: World; model: FakeWorldModel; media: FakeMedia }> {
  const model = new FakeWorldModel();
  const media = new FakeMedia();
  const info = await model.prepare();
  await model.begin({ width: 32, height: 32, data: new Uint8Array(32 * 32 * 3) }, { width: 32, height: 32 });
  return { world: new World({ model, info, media, prompt: "a corridor", seed: 42n, fps: 16, ...parts }), model, media };
}

test("World.walk() yields one block for each action, at its time since the start of the world", async () => {
  const { world } = await openFake();
  const seen: unknown[] = [];
  for (const actions of [["w", "l2"], ["."]]) {
    for await (const { action, firstFrame, frames } of world.walk(actions)) {
      seen.push([action, firstFrame, frames.count]);
    }
  }
  assert.deepEqual(seen, [["w", 0, 9], ["l", 9, 12], ["l", 21, 12], [" ", 33, 12]]);
});

test("World.walk() gives each block the seed of its depth in the world, beyond 2^64 from 0 again", async () => {
  const { world, model } = await openFake({ seed: (1n << 64n) - 2n });
  for await (const _ of world.walk(["w2"])) { /* only the seeds matter */ }
  for await (const _ of world.walk(["w"], { prompt: "another" })) { /* only the seeds matter */ }
  assert.deepEqual(model.requests.map(({ seed, prompt }) => [seed, prompt]), [
    [(1n << 64n) - 2n, "a corridor"],
    [(1n << 64n) - 1n, "a corridor"],
    [0n, "another"],
  ]);
});

test("World.walk() makes no block before it is asked for, and goes on after a loop that was left early", async () => {
  const { world, model } = await openFake();
  for await (const _ of world.walk(["w", "l", "s"])) break;
  assert.equal(model.requests.length, 1);
  const next = await world.walk(["d"]).next();
  assert.equal(next.value?.firstFrame, 9);
});

test("World.walk() stops before its next block when its signal aborts", async () => {
  const { world, model } = await openFake();
  const controller = new AbortController();
  const reason = new Error("enough");
  await assert.rejects(async () => {
    for await (const _ of world.walk(["w3"], { signal: controller.signal })) controller.abort(reason);
  }, (error) => error === reason);
  assert.equal(model.requests.length, 1);
});

test("World.walk() refuses a speed that is no positive number", async () => {
  const { world } = await openFake();
  for (const speed of [0, -1, NaN, Infinity]) {
    await assert.rejects(world.walk(["w"], { speed }).next(), RangeError, String(speed));
  }
});

test("World.walk() refuses a second walk at the same time and a word that is no action", async () => {
  const { world } = await openFake();
  const first = world.walk(["w"]);
  await first.next();
  await assert.rejects(world.walk(["w"]).next(), /another walk is under way in this world/);
  await first.return();
  await assert.rejects(world.walk(["ws"]).next(), /w and s are opposite/);
  assert.equal((await world.walk(["w"]).next()).done, false);
});

test("World.walk() recalls the places of earlier walks", async () => {
  const { world, model } = await openFake();
  for (const actions of [["w"], ["l"], ["j"], ["s"]]) {
    for await (const _ of world.walk(actions)) { /* only the memory matters */ }
  }
  const recalled = model.requests.map((request) => request.memory?.recall.map(({ latent }) => latent));
  // The turn back ends where the turn began; the way back starts there, is still near a step later, and ends at 0.
  assert.deepEqual(recalled, [[], [], [2], [2, 2, 0]]);
});

test("World.walk() goes on from the pose where a loop was left early", async () => {
  const { world, model } = await openFake();
  for await (const { firstFrame } of world.walk(["w2", "l"])) if (firstFrame === 9) break;
  for await (const _ of world.walk(["s2"])) { /* only the memory matters */ }
  assert.deepEqual(model.requests.at(-1)?.memory?.recall.at(-1), { frame: 2, latent: 0, strength: 1 });
});

test("World.walk() remembers nothing of a block that was aborted", async () => {
  const { world, model } = await openFake();
  const controller = new AbortController();
  model.gate = new Promise(() => {});
  model.onGenerate = () => controller.abort(new Error("enough"));
  await assert.rejects(world.walk(["w"], { signal: controller.signal }).next(), /enough/);
  model.gate = undefined;
  for await (const _ of world.walk(["w"])) { /* only the memory matters */ }
  assert.deepEqual(model.requests[1].memory, model.requests[0].memory);
});

test("World.walk() recalls nothing when scene memory is disabled", async () => {
  const { world, model } = await openFake({ sceneMemory: DISABLED_SCENE_MEMORY });
  for await (const _ of world.walk(["w", "s", "w", "s"])) { /* only the memory matters */ }
  assert.ok(model.requests.every(({ memory }) => memory?.recall.length === 0 && memory.store.length === 0));
});

test("World.video() is the whole walk so far", async () => {
  const { world } = await openFake();
  for await (const _ of world.walk(["w", "w"])) { /* only the video matters */ }
  for await (const _ of world.walk(["w"])) { /* only the video matters */ }
  const words = new TextDecoder().decode(await world.video());
  assert.match(words, /^video 16 chunk 0 9 .*chunk 9 12 .*chunk 21 12 /);
});

test("World releases model and media when it is closed, by hand or by await using", async () => {
  const { world, model, media } = await openFake();
  await world[Symbol.asyncDispose]();
  assert.equal(model.prepared, false);
  assert.equal(media.closed, true);
});
