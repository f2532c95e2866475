import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { frameAt, type RgbFrames } from "../../../lib/media/images/rgb_image.ts";
import { parseWalkActions } from "../../../lib/world/protocol/walk_actions.ts";
import { World, type WorldParts } from "../../../lib/world/host/world.ts";
import { DISABLED_SCENE_MEMORY } from "../../../lib/world/protocol/scene_memory_policy.ts";
import { text } from "../../support/fake_media.ts";
import { type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

async function openFake(
  parts: Partial<WorldParts> = {},
  options: HarnessOptions = {},
): Promise<{ world: World; h: WorldHarness }> {
  const h = await worldHarness({ ...options, onChunk: (chunk) => world.deliver(chunk) });
  await h.session.setSource(text("image 32 32 7"));
  const world: World = new World({
    session: h.session,
    media: h.media,
    prompt: "a corridor",
    seed: 42n,
    fps: 16,
    size: { width: 32, height: 32 },
    readImage: (path) => readFile(path),
    release: () => h.close(),
    ...parts,
  });
  return { world, h };
}

async function walkAll(world: World, ...actions: string[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const { action, firstFrame, frames } of world.walk(actions)) seen.push([action, firstFrame, frames.count]);
  return seen;
}

test("World.walk() yields one block for each action, at its time since the start of the walk", async () => {
  const { world } = await openFake();
  assert.deepEqual(await walkAll(world, "w", "l2"), [["w", 0, 9], ["l", 9, 12], ["l", 21, 12]]);
  // A walk that continues a chain shows the last frame again.
  assert.deepEqual(await walkAll(world, "."), [[".", 0, 13]]);
  await world.close();
});

test("World.walk() gives each block the seed of its depth in the world, beyond 2^64 from 0 again", async () => {
  const { world, h } = await openFake({ seed: (1n << 64n) - 2n });
  await walkAll(world, "w2");
  for await (const _ of world.walk(["w"], { prompt: "another" })) { /* only the seeds matter */ }
  assert.deepEqual(h.model.requests.map(({ seed, prompt }) => [seed, prompt]), [
    [(1n << 64n) - 2n, "a corridor"],
    [(1n << 64n) - 1n, "a corridor"],
    [0n, "another"],
  ]);
  await world.close();
});

test("World.walk() generates at most two blocks beyond the one that is read", async () => {
  const { world, h } = await openFake();
  for await (const { firstFrame } of world.walk(["w8"])) {
    const read = firstFrame === 0 ? 1 : 1 + (firstFrame + 3) / 12;
    assert.ok(h.model.requests.length <= read + 2, `${h.model.requests.length} generated, ${read} read`);
  }
  await world.close();
});

test("World.walk() makes the frames of a rollout with the same actions", async () => {
  const { world, h } = await openFake();
  await walkAll(world, "w", "wl2", "s");
  const walked = h.model.requests.splice(0);
  const chain = h.model.chain;
  await h.session.setSource(text("image 32 32 7"));
  const { actions, weights, latentFrames } = parseWalkActions(["w", "wl2", "s"]);
  const body = { actionSeq: actions, actionSpeedList: weights, numOutputFrames: latentFrames };
  await h.walk({ ...body, prompt: "a corridor", speed: 1.5, seed: "42", fps: 16, width: 32, height: 32 });
  assert.deepEqual(h.model.requests, walked);
  assert.deepEqual(h.model.chain, chain);
  await world.close();
});

for (const backend of ["arworld", "actionworld"] as const) {
  test(`World.back() undoes the moves of a walk one by one, bit for bit, on an ${backend}`, async () => {
    const { world, h } = await openFake({}, { backend, undoesHolds: true });
    const model = backend === "arworld" ? h.model : h.clips;
    const chain = () => backend === "arworld" ? h.model.chain : h.clips.picture;
    const look = async (): Promise<unknown[]> => {
      const { currentStateId, stateIds, currentWorldPose } = world.snapshot();
      return [currentStateId, stateIds, currentWorldPose, await world.image(), chain()];
    };
    const places = [await look()];
    await world.move("d");
    for (const word of ["w", "w", ".", "l"]) {
      places.push(await look());
      for await (const _ of world.walk([word])) { /* one block, or the chunks of one clip */ }
    }
    places.push(await look());
    for await (const _ of world.walk(["w", ".", "l"])) { /* three moves */ }
    const made = model.requests.length;
    for (let i = 0; i < 2; i++) await world.back();
    assert.equal((await world.back()).receipt.replayed, true);
    for (const place of places.slice(1).reverse()) {
      assert.deepEqual(await look(), place);
      await world.back();
    }
    // A world that is at its image again has no chain: the next move begins one.
    assert.deepEqual((await look()).slice(0, 4), places[0].slice(0, 4));
    assert.equal(model.requests.length, made, "nothing is generated on the way");
    await assert.rejects(world.back(), { code: "nothing_to_undo" });
    await world.close();
  });
}

test("a walk of an actionworld that is left keeps the moves that the loop was given whole", async () => {
  for (const [blocks, moves] of [[1, 0], [4, 1], [5, 1], [8, 2], [12, 3]]) {
    const { world, h } = await openFake({}, { backend: "actionworld" });
    let given = 0;
    for await (const _ of world.walk(["w3"])) if (++given === blocks) break;
    assert.equal(given, blocks);
    assert.equal(world.snapshot().stateIds.length, 1 + moves, `${blocks} blocks`);
    assert.equal(h.clips.snapshots.size, Math.max(0, moves - 1));
    for (let i = 0; i < moves; i++) await world.back();
    await assert.rejects(world.back(), { code: "nothing_to_undo" });
    await world.close();
  }
});

test("what a block shows backwards ends with the image that it began with", async () => {
  const { world } = await openFake();
  const shown: RgbFrames[] = [];
  for await (const { frames } of world.walk(["w2"])) shown.push(frames);
  const { blocks: [{ frames, action }] } = await world.back();
  assert.deepEqual([frames.count, action], [13, "backward"]);
  assert.deepEqual(frameAt(frames, 12), frameAt(shown[0], 8));
  assert.deepEqual(frameAt(frames, 0), frameAt(shown[1], 11));
  await world.close();
});

test("a walk that is left early or aborted stays where the loop was, and what was made beyond is gone", async () => {
  const { world, h } = await openFake();
  await walkAll(world, "w");
  const at = world.snapshot().transitionCount;
  for await (const _ of world.walk(["l3"])) break;
  assert.equal(world.snapshot().transitionCount, at + 1);
  const chain = h.model.chain;
  assert.equal(chain?.blocks, 2);
  const controller = new AbortController();
  const reason = new Error("enough");
  await assert.rejects(async () => {
    for await (const { firstFrame } of world.walk(["w4"], { signal: controller.signal })) {
      if (firstFrame > 0) controller.abort(reason);
    }
  }, (error) => error === reason);
  assert.equal(h.model.chain?.blocks, 4);
  assert.equal(world.snapshot().transitionCount, at + 3);
  const pictures = readdirSync(h.folder).filter((name) => name.startsWith("state-"));
  assert.equal(pictures.length, 4, "one of each block that stays");
  assert.equal(h.model.snapshots.size, 3, "one before each block that stays and continues a chain");
  await assert.rejects(world.walk(["w"], { signal: AbortSignal.abort(reason) }).next(), (error) => error === reason);
  await world.back();
  await world.back();
  assert.deepEqual(h.model.chain, chain);
  assert.equal((await walkAll(world, "d")).length, 1);
  await world.close();
});

test("a walk whose model fails throws the reason and stays at the last block that the loop was given", async () => {
  const { world, h } = await openFake();
  await walkAll(world, "w");
  const before = world.snapshot().currentStateId;
  h.model.failure = { call: "generate", error: new Error("secret") };
  await assert.rejects(walkAll(world, "w2"), { code: "internal_error" });
  assert.equal(world.snapshot().currentStateId, before);
  const given: number[] = [];
  h.model.onGenerate = () => {
    if (h.model.requests.length === 4) h.model.failure = { call: "snapshot", error: new Error("secret") };
  };
  await assert.rejects(async () => {
    for await (const { firstFrame } of world.walk(["w5"])) given.push(firstFrame);
  }, { code: "internal_error" });
  assert.equal(h.model.chain?.blocks, 1 + given.length);
  assert.equal(world.snapshot().stateIds.length, 2 + given.length);
  h.model.onGenerate = () => {};
  for (let i = 0; i <= given.length; i++) await world.back();
  await assert.rejects(world.back(), { code: "nothing_to_undo" });
  await world.close();
});

test("a walk keeps as many moves to undo as the limit says, and the world it has shown", async () => {
  const { world, h } = await openFake({}, { limits: { maxRetainedEdges: 2 } });
  assert.equal((await walkAll(world, "w5")).length, 5);
  assert.equal(h.model.snapshots.size, 2);
  assert.equal(world.snapshot().stateIds.length, 6);
  await world.back();
  await world.back();
  await assert.rejects(world.back(), { code: "nothing_to_undo" });
  assert.equal(h.model.chain?.blocks, 3);
  await world.close();
});

test("World.walk() refuses a speed that is not positive and an unknown action", async () => {
  const { world } = await openFake();
  for (const speed of [0, -1, NaN, Infinity]) {
    await assert.rejects(world.walk(["w"], { speed }).next(), { param: "speed" }, String(speed));
  }
  await assert.rejects(world.walk(["ws"]).next(), /w and s are opposite/);
  assert.equal((await walkAll(world, "w")).length, 1);
  await world.close();
});

test("a second move during a walk is refused, and the walk continues", async () => {
  const { world } = await openFake();
  const walk = world.walk(["w", "l"]);
  await walk.next();
  await assert.rejects(world.move("w"), { code: "session_busy" });
  assert.equal((await walk.next()).value?.action, "l");
  assert.equal((await walk.next()).done, true);
  await world.close();
});

test("World.back() replays the last move exactly, and World.video() forgets it", async () => {
  const { world } = await openFake();
  const before = world.snapshot();
  const { blocks, receipt } = await world.move("w", { frames: 17 });
  assert.equal(receipt.replayed, false);
  assert.deepEqual(blocks.map(({ frames }) => frames.count), [9, 12]);
  await world.move("l");
  const turned = await world.back();
  assert.equal(turned.receipt.replayed, true);
  assert.equal(turned.receipt.camera.motion, "yawLeft");
  assert.match(new TextDecoder().decode(await world.video()), /^video 16 chunk 0 9 .*chunk 9 12 [^;]*;$/);
  await world.back();
  assert.equal(world.snapshot().currentStateId, before.currentStateId);
  await assert.rejects(world.back(), { code: "nothing_to_undo" });
  await world.close();
});

test("World.restoreCheckpoint() returns to a state bit for bit; its path is what World.video() exports", async () => {
  const { world, h } = await openFake();
  await walkAll(world, "w");
  const { checkpointId: id } = await world.createCheckpoint("door");
  await walkAll(world, "l");
  const after = h.model.chain;
  await world.restoreCheckpoint(id);
  assert.deepEqual(world.checkpoints().map(({ name }) => name), ["door"]);
  assert.match(new TextDecoder().decode(await world.video()), /^video 16 chunk 0 9 [^;]*;$/);
  await walkAll(world, "l");
  assert.deepEqual(h.model.chain, after);
  await world.deleteCheckpoint(id);
  assert.deepEqual(world.checkpoints(), []);
  await world.close();
});

test("World.walk() recalls the scenes of earlier walks, and nothing when scene memory is disabled", async () => {
  for (const sceneMemory of [undefined, DISABLED_SCENE_MEMORY]) {
    const { world, h } = await openFake({}, sceneMemory ? { limits: { sceneMemory } } : {});
    for (const action of ["w", "l", "j", "s"]) await walkAll(world, action);
    const recalled = h.model.requests.flatMap(({ memory }) => memory?.recall ?? []);
    assert.equal(recalled.length > 0, sceneMemory === undefined);
    await world.close();
  }
});

test("an actionworld walks by one clip for each action and undoes them one by one", async () => {
  const { world } = await openFake({}, { backend: "actionworld" });
  const actions = (await walkAll(world, "w", "wl")).map((block) => (block as string[])[0]);
  assert.deepEqual([...new Set(actions)], ["w", "wl"]);
  assert.equal((await world.back()).receipt.replayed, true);
  assert.equal((await world.back()).receipt.replayed, true);
  await assert.rejects(world.createCheckpoint("door"), { code: "unsupported_for_backend" });
  await world.close();
});

test("World.image() is the image that is shown; closing releases model and media", async () => {
  const { world, h } = await openFake();
  assert.match(new TextDecoder().decode(await world.image()), /^image 32 32 7/);
  await world[Symbol.asyncDispose]();
  assert.equal(h.model.prepared, false);
  assert.equal(h.media.closed, true);
});
