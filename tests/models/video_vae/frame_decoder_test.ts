import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { f32, graphCost, sizeOf, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { describedWeights } from "../../../lib/models/checkpoint/weights.ts";
import {
  decoderGraph,
  hasDecoderParts,
  hasOneDecoder,
  latentsPerRun,
} from "../../../lib/models/video_vae/decoder_graphs.ts";
import { FrameDecoder } from "../../../lib/models/video_vae/frame_decoder.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { type DecoderHistory, releaseAll, retainAll } from "../../../lib/models/world/device_state.ts";
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
      const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 3, { perRun });
      const before = device.memory().allocated;
      const first = await decoder.decode(blocks[0], undefined);
      const later = await decoder.decode(blocks[1], first.history);
      assert.equal(device.memory().allocated, before + bytesOf(later.history));
      assert.deepEqual([first.count, later.count], [9, 12]);
      results.push([first.frames, later.frames]);
      releaseAll(later.history.values());
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
      const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 1, { single });
      const frames: Float32Array[] = [];
      for (let walk = 0; walk < 2; walk++) { // a second one starts over
        const first = await decoder.decode(latents, undefined);
        const later = await decoder.decode(latents, first.history);
        frames.push(first.frames, later.frames);
        releaseAll(later.history.values());
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

test("FrameDecoder decodes in parts what it decodes in one, and remembers the same", async () => {
  const { base, causal } = tinyArworld();
  const { config, vae } = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const device = await openOnnxDevice({ threads: 1 });
  const next = seededRandom(5);
  const shape = [2, config.vae.zDim, 2, 4];
  const blocks = [0, 1].map(() => f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => next() - 0.5)));
  try {
    const results: { frames: Float32Array[]; memory: Map<string, Tensor> }[] = [];
    for (const inParts of [false, true]) {
      const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 2, {
        perRun: 1,
        inParts,
        single: inParts,
      });
      const first = await decoder.decode(blocks[0], undefined);
      const later = await decoder.decode(blocks[1], first.history);
      const memory = new Map<string, Tensor>();
      for (const [name, tensor] of later.history) memory.set(name, await tensor.read());
      results.push({ frames: [first.frames, later.frames], memory });
      assert.deepEqual([first.count, later.count], [5, 8]);
      assert.deepEqual(new Set(memory.keys()), new Set(decoder.historyShapes.keys()));

      const kept = bytesOf(later.history);
      const before = device.memory().allocated;
      retainAll(later.history.values());
      await assert.rejects(
        decoder.decode(blocks[0], later.history, { signal: AbortSignal.abort(new Error("stop")) }),
        /stop/,
      );
      assert.equal(device.memory().allocated, before); // the state before is still the caller's
      releaseAll(later.history.values());
      assert.equal(device.memory().allocated, before - kept);
      decoder.dispose();
      assert.equal(device.memory().allocated, 0);
    }
    const [whole, parts] = results;
    whole.frames.forEach((frames, i) => assertNear(parts.frames[i], frames, 1e-3));
    assert.deepEqual([...parts.memory.keys()].sort(), [...whole.memory.keys()].sort());
    for (const [name, { shape, data }] of whole.memory) {
      assert.deepEqual(parts.memory.get(name)!.shape, shape);
      assertNear(parts.memory.get(name)!.data as Float32Array, data as Float32Array, 1e-4);
    }
  } finally {
    device.dispose();
  }
});

test("FrameDecoder in parts ends after the part that runs when it is cancelled, and keeps what the caller has", async () => {
  const { base, causal } = tinyArworld();
  const { config, vae } = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const device = await openOnnxDevice({ threads: 1 });
  let [runs, stopAt, stop] = [0, -1, new AbortController()];
  const compile = device.compile.bind(device);
  device.compile = async (graph) => {
    const program = await compile(graph);
    const run = program.run.bind(program);
    program.run = async (...given) => {
      const results = await run(...given);
      if (++runs === stopAt) stop.abort(new Error("stop"));
      return results;
    };
    return program;
  };
  try {
    const decoder = await FrameDecoder.compile(device, config, vae, { width: 4, height: 2 }, 1, { inParts: true });
    const latents = f32([1, config.vae.zDim, 2, 4], new Float32Array(config.vae.zDim * 8).fill(0.2));
    const { history } = await decoder.decode(latents, undefined);
    const later = async (): Promise<Float32Array> => {
      retainAll(history.values());
      const { frames, history: next } = await decoder.decode(latents, history, { signal: stop.signal });
      releaseAll(next.values());
      return frames;
    };
    runs = 0;
    const expected = await later();
    const all = runs;
    const { allocated } = device.memory();
    assert.ok(all > 8, `${all} parts`);
    for (stopAt = 1; stopAt < all; stopAt++) {
      [runs, stop] = [0, new AbortController()];
      await assert.rejects(later(), /stop/);
      assert.deepEqual([runs, device.memory().allocated], [stopAt, allocated]);
    }
    [stopAt, stop] = [-1, new AbortController()];
    assert.deepEqual(await later(), expected);
  } finally {
    device.dispose();
  }
});

function bytesOf(history: DecoderHistory): number {
  return [...history.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function assertNear(found: Float32Array, expected: Float32Array, tolerance: number): void {
  assert.equal(found.length, expected.length);
  const worst = found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0);
  assert.ok(worst <= tolerance, `${worst}`);
}

test("hasDecoderParts() is for large frames only", () => {
  const config = dreamx();
  const vae = describedWeights(vaeShapes(config.vae));
  const found = [[8, 6], [16, 8], [32, 20]].map(([width, height]) => hasDecoderParts(config, vae, { width, height }));
  assert.deepEqual(found, [false, false, true]);
});

test("hasOneDecoder() is for decoders of published size only", () => {
  const config = dreamx();
  assert.equal(hasOneDecoder(config, describedWeights(vaeShapes(config.vae)), { width: 8, height: 6 }), true);
  const small = { ...config, vae: { ...config.vae, dim: 16, decDim: 32 } };
  assert.equal(hasOneDecoder(small, describedWeights(vaeShapes(small.vae)), { width: 8, height: 6 }), false);
});

test("latentsPerRun() splits blocks of large frames on a GPU, and all on the CPU", () => {
  const config = dreamx();
  const vae = describedWeights(vaeShapes(config.vae));
  const perRun = (width: number, height: number, kind: "webgpu" | "cpu" = "webgpu") =>
    latentsPerRun(config, vae, [3, 48, height / 16, width / 16], { kind, precision: "f16" });
  assert.deepEqual([perRun(128, 96), perRun(512, 320), perRun(1280, 704), perRun(128, 96, "cpu")], [3, 1, 1, 1]);
});
