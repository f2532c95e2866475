import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "../../lib/sdk/world.ts";
import { FakeMedia } from "../support/fake_media.ts";
import { FakeWorldModel } from "../support/fake_world_model.ts";

async function openFake(seed = 42n): Promise<{ world: World; model: FakeWorldModel; media: FakeMedia }> {
  const model = new FakeWorldModel();
  const media = new FakeMedia();
  const info = await model.prepare();
  await model.begin({ width: 32, height: 32, data: new Uint8Array(32 * 32 * 3) }, { width: 32, height: 32 });
  return { world: new World({ model, info, media, prompt: "a corridor", seed, fps: 16 }), model, media };
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
  const { world, model } = await openFake((1n << 64n) - 2n);
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
