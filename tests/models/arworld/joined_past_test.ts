import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, f32, Graph, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { BlockSampler } from "../../../lib/models/arworld/sampling/block_sampler.ts";
import type { SamplerBlock } from "../../../lib/models/arworld/sampling/pass_feeds.ts";
import { TimeTables } from "../../../lib/models/arworld/sampling/time_tables.ts";
import { PromptEncoder } from "../../../lib/models/arworld/text/prompt_encoder.ts";
import { openTokenizer } from "../../../lib/models/arworld/text/tokenizer.ts";
import { contextGraph, denoiseGraph, pastGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { joinPast, keysValues, windowAttention } from "../../../lib/models/arworld/transformer/attention.ts";
import { blockRope, cameraTensors, windowRope } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { type BlockCache, cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const { base, causal } = tinyArworld();
const files = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
const { config: { transformer: config, vae }, transformer: weights } = files;
const size = { width: 4, height: 6 };
const TOKENS = 3 * 2 * 3;
const full = contextBlocks(config);

/** The rows that each `rope` of a graph rotates. */
function rotated(graph: Graph): number[] {
  return graph.nodes.flatMap(({ op, output }) => op.kind === "rope" ? [output.shape[0]] : []);
}

function concats(graph: Graph): number {
  return lowerGraph(graph, DESKTOP_LIMITS, "f16").steps.filter(({ what }) => what === "concat").length;
}

test("a pass rotates the keys of its own block only, and appends them and their values to the joined past", () => {
  const layers = config.numLayers;
  for (let context = 0; context <= full; context++) {
    const denoise = denoiseGraph(config, weights, context, size);
    // Queries and keys of each layer.
    assert.deepEqual(rotated(denoise), Array(2 * layers).fill(TOKENS));
    // Past and own, of keys and of values.
    assert.equal(concats(denoise), context > 0 ? 4 * layers : 0);
    const fill = contextGraph(config, weights, context, size);
    // The last layer computes only its keys and values.
    assert.deepEqual(rotated(fill), Array(2 * (layers - 1)).fill(TOKENS));
    assert.equal(concats(fill), context > 0 ? 4 * (layers - 1) : 0);
    if (context === 0) continue;
    const past = pastGraph(config, context, size);
    assert.deepEqual(rotated(past), Array(layers).fill(context * TOKENS));
    assert.equal(concats(past), context > 1 ? 2 * context * layers : 0);
  }
});

/** Attention over `context` blocks: joined before, and one by one. */
async function bothWays(device: Device, context: number): Promise<[joined: number[], apart: number[]]> {
  const graph = new Graph();
  const grid = { rows: size.height / 2, columns: size.width / 2 };
  const at = weights.at("blocks.0.self_attn");
  const feeds: Record<string, ReturnType<typeof f32>> = {};
  const input = (name: string, shape: readonly number[]) => {
    const seed = BigInt(Object.keys(feeds).length);
    feeds[name] = f32(shape, normalNoise(seed, 0, sizeOf(shape)));
    return graph.input(name, shape);
  };
  const x = input("x", [TOKENS, config.dim]);
  const own = keysValues(x, at, config.numHeads);
  const head = [TOKENS, config.numHeads, config.dim / config.numHeads];
  const blocks = Array.from({ length: context }, (_, i) => ({ k: input(`k${i}`, head), v: input(`v${i}`, head) }));
  const table = blockRope(graph, config, context, grid);
  const past = joinPast(blocks, blockRope(graph, config, 0, grid, context));
  graph.output("joined", windowAttention(x, own, past, { queries: table, keys: table }, at));
  graph.output("apart", windowAttention(x, own, blocks, windowRope(graph, config, context, grid), at));
  const program = await device.compile(graph);
  const outputs = await program.run(feeds);
  const [joined, apart] = [await outputs.joined.read(), await outputs.apart.read()];
  releaseAll(Object.values(outputs));
  program.dispose();
  return [[...joined.data as Float32Array], [...apart.data as Float32Array]];
}

for (const kind of ["cpu", "webgpu"] as const) {
  test(`attention over a joined past is bit for bit that over its blocks one by one, on ${kind}`, async (t) => {
    const device = kind === "cpu" ? await openOnnxDevice({ threads: 1 }) : await openTestDevice();
    if (typeof device === "string") return t.skip(device);
    for (let context = 1; context <= full; context++) {
      const [joined, apart] = await bothWays(device, context);
      assert.deepEqual(joined, apart);
      assert.ok(new Set(joined).size > TOKENS);
    }
    device.dispose();
  });

  test(`a block that is cancelled keeps nothing of its joined past, on ${kind}`, async (t) => {
    const device = kind === "cpu" ? await openOnnxDevice({ threads: 1 }) : await openTestDevice();
    if (typeof device === "string") return t.skip(device);
    const times = await TimeTables.compute(device, config, weights);
    const { config: whole, transformer, textEncoder, tokenizer } = files;
    const prompts = new PromptEncoder(device, {
      ...{ config: whole, textEncoder, transformer, tokenizer: openTokenizer("tokenizer.json", tokenizer) },
    });
    const sampler = new BlockSampler(device, config, weights, times, size, false);
    const views = Float32Array.from({ length: 48 }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
    const block = async (context: readonly BlockCache[]): Promise<SamplerBlock> => ({
      ...{ context, text: await prompts.encode("red hall"), cameras: cameraTensors(views) },
      noise: (step) => normalNoise(1n, step, 3 * vae.zDim * size.width * size.height),
    });
    const first = await sampler.sample(await block([]));
    first.latents.release();
    const next = await block([first.cache, first.cache]);
    const cancelAt = async (at: number): Promise<void> => {
      const abort = new AbortController();
      if (at < 0) abort.abort(new Error("cancelled"));
      const onPass = (pass: number) => void (pass === at && abort.abort(new Error("cancelled")));
      await assert.rejects(sampler.sample(next, { signal: abort.signal, onPass }), /cancelled/);
    };
    const passes = [-1, 0, 1, 2, 3];
    const finish = async (): Promise<void> => {
      const { latents, cache } = await sampler.sample(next);
      releaseAll([latents, ...cacheTensors([cache])]);
    };
    // Programs are compiled, and a GPU has the buffers that it keeps for later.
    await finish();
    for (const at of passes) await cancelAt(at);
    const { allocated } = device.memory();
    for (const at of passes) {
      await cancelAt(at);
      assert.equal(device.memory().allocated, allocated, `cancelled at pass ${at}`);
    }
    await finish();
    assert.equal(device.memory().allocated, allocated);
    releaseAll(cacheTensors([first.cache]));
    sampler.dispose();
    prompts.dispose();
    times.dispose();
    device.dispose();
  });
}
