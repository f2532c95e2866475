import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/mod.ts";
import { f32, graphCost, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { describedWeights } from "../../../lib/models/checkpoint/described_weights.ts";
import {
  decoderGraph,
  FrameDecoder,
  hasOneDecoder,
  latentsPerRun,
} from "../../../lib/models/video_vae/frame_decoder.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_shapes.ts";
import { releaseAll } from "../../../lib/models/world/device_state.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { seededRandom } from "../../support/random.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

test("FrameDecoder gives the same frames from one latent a run as from three, and releases what is between", async () => {
  const { base, causal } = tinyArworld();
  const { config, vae } = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const device = await openOnnxDevice({ threads: 1 });
  const next = seededRandom(3);
  const shape = [3, config.vae.zDim, 2, 4];
  const blocks = [0, 1].map(() => f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => next() - 0.5)));
  try {
    const results: Float32Array[][] = [];
    for (const perRun of [3, 1]) {
      const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 3, perRun);
      const before = device.memory().allocated;
      const first = await decoder.decode(blocks[0], undefined);
      const later = await decoder.decode(blocks[1], first.history);
      assert.deepEqual([first.count, later.count], [9, 12]);
      results.push([first.frames, later.frames]);
      releaseAll([...first.history.values(), ...later.history.values()]);
      assert.equal(device.memory().allocated, before);
      decoder.dispose();
    }
    results[0].forEach((frames, i) =>
      frames.forEach((value, j) => assert.ok(Math.abs(value - results[1][i][j]) < 1e-2, `${value}`))
    );
  } finally {
    device.dispose();
  }
});

test("FrameDecoder has the weights once where its programs take turns, and gives the same frames", async () => {
  const { base, causal } = tinyArworld();
  const { config, vae } = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const device = await openOnnxDevice({ threads: 1 });
  const latents = f32([1, config.vae.zDim, 2, 4], new Float32Array(config.vae.zDim * 8).fill(0.2));
  const once = graphCost(decoderGraph(config, vae, latents.shape, "later")).weightBytes;
  try {
    const results: Float32Array[][] = [];
    for (const single of [false, true]) {
      const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 1, 1, single);
      const frames: Float32Array[] = [];
      for (let walk = 0; walk < 2; walk++) { // a second one starts anew
        const first = await decoder.decode(latents, undefined);
        const later = await decoder.decode(latents, first.history);
        frames.push(first.frames, later.frames);
        releaseAll([...first.history.values(), ...later.history.values()]);
      }
      assert.equal(device.memory().allocated > 1.5 * once, !single);
      assert.ok(decoder.historyShapes.size > 0);
      decoder.dispose();
      assert.equal(device.memory().allocated, 0);
      results.push(frames);
    }
    assert.deepEqual(results[0], results[1]);
  } finally {
    device.dispose();
  }
});

test("hasOneDecoder() is for decoders of published size only", () => {
  const config = dreamx();
  assert.equal(hasOneDecoder(config, describedWeights(vaeShapes(config.vae)), { width: 8, height: 6 }), true);
  const small = { ...config, vae: { ...config.vae, dim: 16, decDim: 32 } };
  assert.equal(hasOneDecoder(small, describedWeights(vaeShapes(small.vae)), { width: 8, height: 6 }), false);
});

test("latentsPerRun() splits blocks of large frames only", () => {
  const config = dreamx();
  const vae = describedWeights(vaeShapes(config.vae));
  const perRun = (width: number, height: number) => latentsPerRun(config, vae, [3, 48, height / 16, width / 16], "f16");
  assert.deepEqual([perRun(128, 96), perRun(512, 320), perRun(1280, 704)], [3, 1, 1]);
});
