import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/mod.ts";
import { type Device, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { BlockSampler, type SamplerBlock } from "../../../lib/models/arworld/sampling/block_sampler.ts";
import { type ProgramSharing, programSharing } from "../../../lib/models/arworld/sampling/program_sharing.ts";
import { slideWindow } from "../../../lib/models/arworld/sampling/slide_window.ts";
import { TimeTables } from "../../../lib/models/arworld/sampling/time_tables.ts";
import { PromptEncoder } from "../../../lib/models/arworld/text/prompt_encoder.ts";
import { openTokenizer } from "../../../lib/models/arworld/text/tokenizer.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { type BlockCache, cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

/** The latents of five blocks, more than the window holds. */
async function walk(device: Device, sharing: ProgramSharing): Promise<Float32Array[]> {
  const { base, causal } = tinyArworld();
  const { config, transformer, textEncoder, tokenizer } = await loadArworld(
    memoryRoot("base", base),
    memoryRoot("causal", causal),
  );
  const times = await TimeTables.compute(device, config.transformer, transformer);
  const prompts = new PromptEncoder(device, {
    ...{ config, textEncoder, transformer, tokenizer: openTokenizer("tokenizer.json", tokenizer) },
  });
  const sampler = new BlockSampler(device, config.transformer, transformer, times, { width: 4, height: 4 }, sharing);
  const views = Float32Array.from({ length: 48 }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
  const shape = [3, config.vae.zDim, 4, 4];
  let context: readonly BlockCache[] = [];
  const films: Float32Array[] = [];
  for (let i = 0; i < 5; i++) {
    const block: SamplerBlock = {
      ...{ context, text: await prompts.encode("red hall"), cameras: cameraTensors(views) },
      noise: (step) => normalNoise(BigInt(i), step, sizeOf(shape)),
    };
    const { latents, cache } = await sampler.sample(block);
    films.push((await latents.read()).data as Float32Array);
    latents.release();
    const next = slideWindow(context, cache, contextBlocks(config.transformer));
    releaseAll(cacheTensors(context.filter((each) => !next.includes(each))));
    context = next;
  }
  releaseAll(cacheTensors(context));
  sampler.dispose();
  prompts.dispose();
  times.dispose();
  return films;
}

test("programs that passes and windows share make the latents that those for each make, and keep nothing", async () => {
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const apart = await walk(device, "pass");
    assert.equal(device.memory().allocated, 0);
    for (const sharing of ["length", "all"] as const) {
      const shared = await walk(device, sharing);
      assert.equal(device.memory().allocated, 0);
      apart.forEach((latents, block) =>
        latents.forEach((x, i) => {
          const y = shared[block][i];
          assert.ok(Math.abs(x - y) < 1e-4, `${sharing}, block ${block}: ${x}, ${y}`);
        })
      );
    }
  } finally {
    device.dispose();
  }
});

test("programs are shared on the CPU, all of them by transformers of published size", () => {
  const published = dreamx().transformer;
  const small = { ...published, dim: 192, ffnDim: 512, numHeads: 6, numLayers: 4 };
  assert.equal(programSharing({ kind: "cpu" }, published), "all");
  assert.equal(programSharing({ kind: "cpu" }, small), "length");
  assert.equal(programSharing({ kind: "webgpu" }, published), "pass");
});
