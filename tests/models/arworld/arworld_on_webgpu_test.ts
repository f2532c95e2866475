import { test } from "node:test";
import assert from "node:assert/strict";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/camera/trajectory.ts";
import type { BlockMemory } from "../../../lib/models/world/world_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/mod.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const views = chunkRelativeViews(latentViews({ actions: ["wj"], weights: [1], latentFrames: 6, speed: 1.5 }));
const memories: readonly BlockMemory[] = [
  { recall: [], store: [0, 1, 2].map((frame) => ({ frame, latent: frame })), forget: [] },
  { recall: [{ frame: 1, latent: 2, strength: 0.08 }, { frame: 2, latent: 0, strength: 1 }], store: [], forget: [1] },
];
const requests = memories.map((memory, block) => ({
  prompt: "red hall",
  seed: BigInt(block),
  views: views.subarray(48 * block, 48 * block + 48),
  memory,
}));
const image = { width: 32, height: 32, data: Uint8Array.from({ length: 3072 }, (_, i) => (i * 37) % 256) };

/** Walks two blocks, returns to after the first and makes the second once more. */
async function walk(openDevice: () => Promise<Device>): Promise<Uint8Array[]> {
  const { base, causal } = tinyArworld();
  const model = new ArworldModel({
    id: "tiny",
    base: memoryRoot("base", base),
    causal: memoryRoot("causal", causal),
    openDevice,
  });
  await model.prepare();
  await model.begin(image, { width: 64, height: 32 });
  const films = [(await model.generate(requests[0])).data];
  const kept = await model.snapshot();
  films.push((await model.generate(requests[1])).data);
  await model.restore(kept);
  films.push((await model.generate(requests[1])).data);
  await model.unload();
  return films;
}

test("ArworldModel shows on WebGPU what it shows on the CPU, and continues a kept state bit for bit", async (t) => {
  const device = await openTestDevice();
  if (typeof device === "string") return t.skip(device);
  const onGpu = await walk(() => Promise.resolve(device));
  const onCpu = await walk(() => openOnnxDevice());
  assert.deepEqual(onGpu[2], onGpu[1]);
  for (const [i, film] of onGpu.entries()) {
    film.forEach((value, at) => assert.ok(Math.abs(value - onCpu[i][at]) <= 1, `film ${i}: ${value}, ${onCpu[i][at]}`));
  }
});
