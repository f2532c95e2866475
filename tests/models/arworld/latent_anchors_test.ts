import { after, test } from "node:test";
import assert from "node:assert/strict";
import { ArworldEngine } from "../../../lib/models/arworld/arworld_engine.ts";
import type { SamplerBlock } from "../../../lib/models/arworld/sampling/pass_feeds.ts";
import { cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import type { LatentAnchor } from "../../../lib/models/arworld/latent_memory.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { SAMPLER_STEPS } from "../../../lib/models/arworld/sampling/sampler_math.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { f32, toFloat32 } from "../../../lib/compute/tensor/mod.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

const roots = tinyArworld();
const files = await loadArworld(memoryRoot("base", roots.base), memoryRoot("causal", roots.causal));
const engine = await ArworldEngine.start(await openOnnxDevice({ threads: 1 }), files);
after(() => engine.dispose());
const { sampler } = await engine.programs({ width: 64, height: 32 });
const text = await engine.prompts.encode("red hall");
const views = chunkRelativeViews(latentViews({ steps: [stepOfKeys("w")], weights: [1], latentFrames: 3, speed: 1.5 }));

const SIZE = 4 * 2 * 4; // z, h, w of a latent frame
const latent = (seed: bigint) => normalNoise(seed, 0, SIZE);

function block(anchors?: readonly LatentAnchor[]): SamplerBlock {
  return {
    context: [],
    text,
    cameras: cameraTensors(views),
    noise: (step) => normalNoise(3n, step, 3 * SIZE),
    ...(anchors && { anchors }),
  };
}

/** The three latents of a sampled block. */
async function sample(anchors?: readonly LatentAnchor[]): Promise<Float32Array[]> {
  const { latents, cache } = await sampler.sample(block(anchors));
  const data = toFloat32(await latents.read());
  latents.release();
  releaseAll(cacheTensors([cache]));
  return frames(data);
}

/** The three clean latents after the last pass alone. */
async function lastPass(anchors?: readonly LatentAnchor[]): Promise<Float32Array[]> {
  const noisy = f32([3, 4, 2, 4], normalNoise(5n, 0, 3 * SIZE));
  const clean = await sampler.denoise(block(anchors), 3, noisy);
  const data = toFloat32(await clean.read());
  clean.release();
  return frames(data);
}

function frames(data: Float32Array): Float32Array[] {
  return [0, 1, 2].map((frame) => data.slice(frame * SIZE, (frame + 1) * SIZE));
}

// @row world-session > Scene memory > An exact return restores the latent
test("BlockSampler.sample() gives an anchor of strength 1 back bit for bit", async () => {
  const got = await sample([{ frame: 1, latent: latent(1n), strength: 1 }]);
  assert.deepEqual(got[1], latent(1n));
  const free = await sample();
  assert.notDeepEqual(got[0], free[0]);
  assert.notDeepEqual(got[2], free[2]);
});

test("BlockSampler.sample() is as without anchors when their strength is 0", async () => {
  const zero = [0, 1, 2].map((frame) => ({ frame, latent: latent(BigInt(frame)), strength: 0 }));
  assert.deepEqual(await sample(zero), await sample());
});

// @row world-session > Scene memory > A return draws towards the kept latent by `strength`
test("BlockSampler.denoise() weighs the prediction and an anchor by its strength", async () => {
  const anchor = { frame: 2, latent: latent(2n), strength: 0.08 };
  const [free, drawn] = [await lastPass(), await lastPass([anchor])];
  assert.deepEqual(drawn.slice(0, 2), free.slice(0, 2));
  drawn[2].forEach((x, i) => {
    const expected = 0.92 * free[2][i] + 0.08 * anchor.latent[i];
    assert.ok(Math.abs(x - expected) <= 1e-6, `element ${i}: ${x}, expected ${expected}`);
  });
});

test("BlockSampler.denoise() adds the noise of the next step to what was drawn towards an anchor", async () => {
  const next = SAMPLER_STEPS[1].sigma;
  const noisy = f32([3, 4, 2, 4], normalNoise(5n, 0, 3 * SIZE));
  const renoised = await sampler.denoise(block([{ frame: 1, latent: latent(1n), strength: 1 }]), 0, noisy);
  const got = frames(toFloat32(await renoised.read()))[1];
  renoised.release();
  const noise = frames(normalNoise(3n, 1, 3 * SIZE))[1];
  got.forEach((x, i) => {
    const expected = (1 - next) * latent(1n)[i] + next * noise[i];
    assert.ok(Math.abs(x - expected) <= 1e-6, `element ${i}: ${x}, expected ${expected}`);
  });
});

test("BlockSampler.sample() draws towards an anchor in every pass", async () => {
  const anchor = { frame: 1, latent: latent(1n), strength: 0.3 };
  const drawn = await sample([anchor]);
  const free = await sample();
  const distance = (a: Float32Array) => Math.hypot(...a.map((x, i) => x - anchor.latent[i]));
  assert.ok(distance(drawn[1]) < distance(free[1]));
  // The frames beside it have seen it in the passes before the last one.
  assert.notDeepEqual(drawn[0], free[0]);
});
