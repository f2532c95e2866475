import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { BlockSampler } from "../../../lib/models/arworld/sampling/block_sampler.ts";
import type { SamplerBlock } from "../../../lib/models/arworld/sampling/pass_feeds.ts";
import { slideWindow } from "../../../lib/models/arworld/sampling/generate_block.ts";
import { TimeTables } from "../../../lib/models/arworld/sampling/time_tables.ts";
import { PromptEncoder } from "../../../lib/models/arworld/text/prompt_encoder.ts";
import { openTokenizer } from "../../../lib/models/arworld/text/tokenizer.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { type BlockCache, cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

/** The latents of five blocks, more than the window holds. */
async function walk(device: Device, single: boolean): Promise<Float32Array[]> {
  const { base, causal } = tinyArworld();
  const { config, transformer, textEncoder, tokenizer } = await loadArworld(
    memoryRoot("base", base),
    memoryRoot("causal", causal),
  );
  const times = await TimeTables.compute(device, config.transformer, transformer);
  const prompts = new PromptEncoder(device, {
    ...{ config, textEncoder, transformer, tokenizer: openTokenizer("tokenizer.json", tokenizer) },
  });
  const sampler = new BlockSampler(device, config.transformer, transformer, times, { width: 4, height: 4 }, single);
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

test("one program for both passes and any number of blocks makes the latents that one for each makes, and keeps nothing", async () => {
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const apart = await walk(device, false);
    assert.equal(device.memory().allocated, 0);
    const single = await walk(device, true);
    assert.equal(device.memory().allocated, 0);
    apart.forEach((latents, block) =>
      latents.forEach((x, i) => {
        const y = single[block][i];
        assert.ok(Math.abs(x - y) < 1e-4, `block ${block}: ${x}, ${y}`);
      })
    );
  } finally {
    device.dispose();
  }
});

test("prepare() compiles one program on the CPU, and on a GPU one for each pass of each length of the window and one that joins it", async () => {
  const { base, causal } = tinyArworld();
  const { config, transformer } = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const compiledOn = async (kind: Device["kind"]): Promise<number> => {
    let compiled = 0;
    const device = { kind, compile: () => Promise.resolve(void compiled++) } as unknown as Device;
    const size = { width: 4, height: 4 };
    await new BlockSampler(device, config.transformer, transformer, {} as TimeTables, size).prepare();
    return compiled;
  };
  assert.equal(await compiledOn("cpu"), 1);
  assert.equal(
    await compiledOn("webgpu"),
    2 * (contextBlocks(config.transformer) + 1) + contextBlocks(config.transformer),
  );
});
