import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, graphCost } from "../../../lib/compute/tensor/mod.ts";
import { ClipSampler } from "../../../lib/models/actionworld/clip_sampler.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { needsOneProgram } from "../../../lib/models/actionworld/takes_turns.ts";
import { TextStreams } from "../../../lib/models/actionworld/text_streams.ts";
import { velocityGraph } from "../../../lib/models/actionworld/transformer/transformer_graphs.ts";
import { flowSchedule } from "../../../lib/models/actionworld/uni_pc.ts";
import { cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { cosmosEdge } from "../../support/published_worlds.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

const size = { width: 3, height: 2 };

/** Clips of two lengths after short and long texts, with guidance and without. */
async function clips(device: Device, single: boolean): Promise<Float32Array[]> {
  const { config: { transformer: config }, transformer } = await loadActionworld(
    memoryRoot("snapshot", tinyActionworld()),
  );
  const texts = new TextStreams(device, config, transformer, { encode: () => new Int32Array(0) }, single);
  const sampler = new ClipSampler(device, config, transformer, size, 2, single);
  const ids = (length: number) => Int32Array.from({ length }, (_, i) => 32 + i * 7 % 200);
  const found: Float32Array[] = [];
  const [short, long, empty] = await Promise.all([9, 140, 3].map((length) => texts.readTokens(ids(length))));
  const pass = velocityGraph(config, transformer, { ...size, frames: 3 }, { count: long.length }, 2);
  const { weightBytes } = graphCost(pass);
  const held = device.memory().allocated;
  for (const [frames, text, scale] of [[3, short, 2], [3, long, 2], [2, short, 1]] as const) {
    const latent = config.latentChannels * size.width * size.height;
    const guidance = scale === 1 ? undefined : { scale, text: empty };
    found.push(
      await sampler.sample({
        ...{ clean: normalNoise(7n, 0, latent), actions: new Float32Array((frames - 1) * 4 * 9).fill(0.1), fps: 8 },
        ...{ text, noise: normalNoise(1n, 0, (frames - 1) * latent), schedule: flowSchedule(2, 3), guidance },
      }),
    );
    if (single) assert.ok(device.memory().allocated < held + 1.5 * weightBytes, "there are two copies of the weights");
  }
  sampler.dispose();
  releaseAll(cacheTensors([short.layers, long.layers, empty.layers]));
  texts.dispose();
  return found;
}

test("one program for texts of all lengths makes the clips that one for each length makes, and keeps nothing", async () => {
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const apart = await clips(device, false);
    assert.equal(device.memory().allocated, 0);
    const single = await clips(device, true);
    assert.equal(device.memory().allocated, 0);
    apart.forEach((latents, clip) =>
      latents.forEach((x, i) =>
        assert.ok(Math.abs(x - single[clip][i]) < 1e-4, `clip ${clip}: ${x}, ${single[clip][i]}`)
      )
    );
  } finally {
    device.dispose();
  }
});

test("needsOneProgram() is for transformers of published size on the CPU only", () => {
  const { transformer } = cosmosEdge();
  assert.equal(needsOneProgram({ kind: "cpu" }, transformer), true);
  assert.equal(needsOneProgram({ kind: "webgpu" }, transformer), false);
  assert.equal(needsOneProgram({ kind: "cpu" }, { ...transformer, hiddenSize: 128, numLayers: 4 }), false);
});
