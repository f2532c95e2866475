import assert from "node:assert/strict";
import { test } from "node:test";
import { DISABLED_SCENE_MEMORY, sceneMemoryPolicy } from "../../../lib/world/protocol/scene_memory_policy.ts";
import type { SceneMemoryPolicyRecord, WorldSnapshot } from "../../../lib/world/protocol/wire.ts";
import { text } from "../../support/fake_media.ts";
import { type WorldHarness, worldHarness } from "../../support/world_harness.ts";

const SOURCE = text("image 200 100 7");

/** Comes back to the origin after eight moves. */
const LOOP = [..."wdsajllj"];

async function withSession(
  work: (h: WorldHarness) => Promise<void>,
  sceneMemory?: SceneMemoryPolicyRecord,
): Promise<void> {
  const harness = await worldHarness({ limits: { sceneMemory } });
  try {
    await harness.session.setSource(SOURCE);
    await work(harness);
  } finally {
    await harness.close();
  }
}

/** Latents in memory, returns, exact returns. */
function counts(snapshot: WorldSnapshot): readonly number[] {
  return [
    snapshot.sceneMemoryFrameCount!,
    snapshot.sceneMemoryRetrievalCount!,
    snapshot.sceneMemoryRecycledFrameCount!,
  ];
}

/** One rollout of three latents for each key; the returns of each. */
async function walk(h: WorldHarness, keys: readonly string[]): Promise<(readonly number[])[]> {
  const returns: (readonly number[])[] = [];
  for (const key of keys) {
    const { rolloutReceipt: receipt } = await h.walk({ actionSeq: [key], numOutputFrames: 3 });
    assert.ok(receipt);
    returns.push([receipt.sceneMemoryRetrievalCount!, receipt.sceneMemoryRecycledFrameCount!]);
  }
  return returns;
}

test("WorldSession counts the returns of a walk, in its receipts for each move alone", () =>
  withSession(async (h) => {
    const first = await walk(h, LOOP);
    assert.deepEqual(first[0], [0, 0]);
    const sum = (index: number) => first.reduce((total, move) => total + move[index], 0);
    assert.deepEqual(counts(h.session.snapshot()).slice(1), [sum(0), sum(1)]);
    // The second time around every latent is where one was before.
    assert.deepEqual(await walk(h, LOOP), LOOP.map(() => [3, 3]));
    assert.deepEqual(counts(h.session.snapshot()), [14, 31, 29]);
  }));

// @row world-session > Scene memory > Checkpoints and cancelled moves take no memory of another future
test("WorldSession remembers nothing of a rollout that was cancelled, not even of its finished blocks", () =>
  withSession(async (h) => {
    await walk(h, ["w", "s"]);
    const before = counts(h.session.snapshot());
    const running = await h.rollout({ actionSeq: ["d", "a"], numOutputFrames: 6 });
    h.model.onGenerate = () => h.model.requests.length === 4 && h.session.cancel(running.jobId);
    assert.equal((await h.ended(running)).status, "cancelled");
    assert.deepEqual(counts(h.session.snapshot()), before);
    h.model.onGenerate = () => {};
    await h.walk({ actionSeq: ["d", "a"], numOutputFrames: 6 });
    const [cancelled, , again] = h.model.requests.slice(2);
    assert.deepEqual(again.memory, cancelled.memory);
  }));

test("WorldSession keeps remembering after a transition", () =>
  withSession(async (h) => {
    await h.move("yawLeft");
    await h.move("forward");
    await h.walk({ actionSeq: ["s"], numOutputFrames: 3 });
    const { recall } = h.model.requests[2].memory!;
    assert.deepEqual(recall.at(-1), { frame: 2, latent: 2, strength: 1 });
  }));

test("WorldSession forgets all places with a reset, a new source and an unload", () =>
  withSession(async (h) => {
    for (const leave of [() => h.session.reset(), () => h.session.setSource(SOURCE), () => h.session.unload()]) {
      await h.session.setSource(SOURCE);
      await walk(h, ["w", "s"]);
      assert.ok(counts(h.session.snapshot()).every((count) => count > 0));
      assert.deepEqual(counts(await leave()), [0, 0, 0]);
    }
  }));

test("WorldSession keeps and recalls nothing when scene memory is disabled, and says so", () =>
  withSession(async (h) => {
    assert.deepEqual(await walk(h, ["w", "s"]), [[0, 0], [0, 0]]);
    const snapshot = h.session.snapshot();
    assert.deepEqual(counts(snapshot), [0, 0, 0]);
    assert.equal(snapshot.sceneMemoryMode, "disabled");
    assert.deepEqual(snapshot.sceneMemoryPolicy, DISABLED_SCENE_MEMORY);
    const nothing = { recall: [], store: [], forget: [] };
    assert.deepEqual(h.model.requests.map(({ memory }) => memory), [nothing, nothing]);
  }, DISABLED_SCENE_MEMORY));

// @row world-session > Scene memory > At most `max-frames` latents
// @row world-session > Limits > 96 latents of scene memory
test("WorldSession holds no more latents than its policy allows and shows the policy in force", () =>
  withSession(async (h) => {
    await walk(h, LOOP);
    const snapshot = h.session.snapshot();
    assert.equal(snapshot.sceneMemoryFrameCount!, 5);
    assert.equal(snapshot.sceneMemoryPolicy!.maximumFrameCount, 5);
    assert.deepEqual([...h.model.chain!.memory.keys()].length, 5);
    assert.ok(h.model.chain!.memory.has(0));
  }, sceneMemoryPolicy({ maxFrames: 5 })));
