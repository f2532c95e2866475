import { test } from "node:test";
import assert from "node:assert/strict";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import type { BlockMemory } from "../../../lib/models/world/world_model.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { Pace } from "../../../lib/compute/webgpu/pace.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";
import { openRawDevice } from "../../support/webgpu_device.ts";

const views = chunkRelativeViews(latentViews({ steps: [stepOfKeys("wj")], weights: [1], latentFrames: 6, speed: 1.5 }));
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

/**
 * Walks two blocks, returns to after the first and makes the second once more.
 *
 * @param interrupt Called before the second block with what generates it.
 */
async function walk(
  openDevice: () => Promise<Device>,
  interrupt?: (generate: (signal: AbortSignal) => Promise<unknown>) => Promise<void>,
): Promise<Uint8Array[]> {
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
  await interrupt?.((signal) => model.generate(requests[1], { signal }));
  films.push((await model.generate(requests[1])).data);
  await model.restore(kept);
  films.push((await model.generate(requests[1])).data);
  await model.unload();
  return films;
}

test("ArworldModel shows on WebGPU what it shows on the CPU, and continues bit for bit after a cancel or a return", async (t) => {
  const gpu = await openRawDevice();
  if (typeof gpu === "string") return t.skip(gpu);
  const submit = gpu.queue.submit.bind(gpu.queue);
  let onSubmission = (): void => {};
  gpu.queue.submit = (buffers) => {
    onSubmission();
    return submit(buffers);
  };
  const pace = new Pace();
  const { partSeconds } = pace;
  const device = createWebGpuDevice(gpu, "in parts", "f32", gpu.limits, pace);
  const interrupt = async (generate: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    pace.partSeconds = 0; // each step alone
    for (const at of [1, 3, 30]) { // the first joins the window
      const abort = new AbortController();
      let submissions = 0;
      onSubmission = () => void (++submissions === at && abort.abort(new Error("cancelled")));
      await assert.rejects(generate(abort.signal), /cancelled/);
      assert.equal(submissions, at);
    }
    pace.partSeconds = partSeconds;
    onSubmission = () => {};
  };
  const onGpu = await walk(() => Promise.resolve(device), interrupt);
  const onCpu = await walk(() => openOnnxDevice());
  assert.deepEqual(onGpu[2], onGpu[1]);
  for (const [i, film] of onGpu.entries()) {
    film.forEach((value, at) => assert.ok(Math.abs(value - onCpu[i][at]) <= 1, `film ${i}: ${value}, ${onCpu[i][at]}`));
  }
});
