import { test } from "node:test";
import assert from "node:assert/strict";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import type { BlockMemory } from "../../../lib/models/world/world_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

const views = chunkRelativeViews(latentViews({ steps: [stepOfKeys("w")], weights: [1], latentFrames: 3, speed: 1.5 }));
const image = { width: 32, height: 32, data: Uint8Array.from({ length: 3072 }, (_, i) => (i * 37) % 256) };
const frames = [0, 1, 2];

/** Keeps all latents of block `n`. */
const storeBlock = (n: number) => frames.map((frame) => ({ frame, latent: 3 * n + frame }));

/** Restores all latents of block `n`. */
const recallBlock = (n: number) => frames.map((frame) => ({ frame, latent: 3 * n + frame, strength: 1 }));

interface Walker {
  readonly model: ArworldModel;
  /** Generates one block; the pictures. */
  readonly walk: (seed: number, memory?: Partial<BlockMemory>) => Promise<Uint8Array>;
}

/** A tiny model whose chain has begun. */
async function walker(): Promise<Walker> {
  const { base, causal } = tinyArworld();
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice: () => openOnnxDevice({ threads: 1 }),
  });
  await model.prepare();
  await model.begin(image, { width: 64, height: 32 });
  return {
    model,
    async walk(seed, memory) {
      const complete = memory && { recall: [], store: [], forget: [], ...memory };
      const request = { prompt: "red hall", seed: BigInt(seed), views, ...(complete && { memory: complete }) };
      return (await model.generate(request)).data;
    },
  };
}

test("ArworldModel.generate() shows the same for every seed when all latents are restored", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  const kept = await model.snapshot();
  const returned = await walk(1, { recall: recallBlock(0) });
  await model.restore(kept);
  assert.deepEqual(await walk(2, { recall: recallBlock(0) }), returned);
  await model.restore(kept);
  assert.notDeepEqual(await walk(2), returned);
  await model.unload();
});

test("ArworldModel.generate() shows something between when latents are recalled in part", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  const kept = await model.snapshot();
  const recalled = async (strength: number) => {
    await model.restore(kept);
    return await walk(1, { recall: frames.map((frame) => ({ frame, latent: frame, strength })) });
  };
  const [free, drawn, restored] = [await recalled(0), await recalled(0.3), await recalled(1)];
  await model.restore(kept);
  assert.deepEqual(free, await walk(1));
  const distance = (a: Uint8Array, b: Uint8Array) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0);
  assert.ok(distance(drawn, restored) < distance(free, restored));
  assert.ok(distance(drawn, restored) > 0);
  await model.unload();
});

test("ArworldModel.generate() is the same whether latents are stored or not", async () => {
  const { model, walk } = await walker();
  const start = await model.snapshot();
  const once = [await walk(0), await walk(1)];
  await model.restore(start);
  assert.deepEqual([await walk(0, { store: storeBlock(0) }), await walk(1, { store: storeBlock(1) })], once);
  await model.unload();
});

test("ArworldModel.generate() rejects a latent that is not kept, and leaves the state as it was", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  const kept = await model.snapshot();
  const expected = await walk(1, { recall: recallBlock(0) });
  await model.restore(kept);
  await assert.rejects(walk(1, { recall: recallBlock(1), store: storeBlock(1) }), {
    message: "Cannot recall latent 3: this chain has not kept it",
  });
  await assert.rejects(walk(1, { recall: recallBlock(1) }), /Cannot recall latent 3/);
  assert.deepEqual(await walk(1, { recall: recallBlock(0) }), expected);
  await model.unload();
});

test("ArworldModel.generate() gives latents up after the block that forgets them", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  await walk(1, { recall: recallBlock(0), forget: [1] });
  await assert.rejects(walk(2, { recall: recallBlock(0) }), /Cannot recall latent 1/);
  await walk(2, { recall: [{ frame: 0, latent: 0, strength: 1 }, { frame: 1, latent: 2, strength: 1 }] });
  await model.unload();
});

test("ArworldModel.restore() brings the memory of the snapshot back and nothing of another branch", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  const kept = await model.snapshot();
  await walk(1, { store: storeBlock(1), forget: [0, 1, 2] });
  const branch = await model.snapshot();
  await model.restore(kept);
  await assert.rejects(walk(2, { recall: recallBlock(1) }), /Cannot recall latent 3/);
  const returned = await walk(2, { recall: recallBlock(0) });
  await model.restore(branch);
  await assert.rejects(walk(2, { recall: recallBlock(0) }), /Cannot recall latent 0/);
  await walk(2, { recall: recallBlock(1) });
  await model.restore(kept);
  assert.deepEqual(await walk(2, { recall: recallBlock(0) }), returned);
  await model.unload();
});

test("ArworldModel.begin() forgets the memory of the chain before", async () => {
  const { model, walk } = await walker();
  await walk(0, { store: storeBlock(0) });
  await model.begin(image, { width: 64, height: 32 });
  await assert.rejects(walk(0, { recall: recallBlock(0) }), /Cannot recall latent 0/);
  await model.unload();
});
