import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import {
  type Device,
  type DeviceTensor,
  f32,
  type Graph,
  type Precision,
  type Shape,
  sizeOf,
} from "../../../lib/compute/tensor/mod.ts";
import type { GpuLimits } from "../../../lib/compute/webgpu/gpu_context.ts";
import { DESKTOP_LIMITS, estimateProgram } from "../../../lib/compute/webgpu/plan_program.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import {
  type ArworldConfig,
  contextBlocks,
  type TransformerConfig,
  transformerShapes,
} from "../../../lib/models/arworld/config.ts";
import { parseArworldConfig } from "../../../lib/models/arworld/parse_config.ts";
import { mostWorlds } from "../../../lib/models/arworld/sampling/pass_joiner.ts";
import { joinedPassesGraph, worldName, type WorldPass } from "../../../lib/models/arworld/transformer/joined_passes.ts";
import { contextGraph, denoiseGraph, pastGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import type { StoredWeight } from "../../../lib/models/checkpoint/stored_weight.ts";
import { describedWeights, Weights } from "../../../lib/models/checkpoint/weights.ts";
import type { LatentSize } from "../../../lib/models/video_vae/latents.ts";
import { releaseAll } from "../../../lib/models/world/device_state.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { openEmulated } from "../../support/emulated_device.ts";
import { seededRandom } from "../../support/random.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { randomWeight } from "../../support/tiny_arworld.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

/** Six tokens, so that the products of one world have few enough rows for a kernel of their own. */
const SIX: LatentSize = { width: 4, height: 2 };

interface SizedTransformer {
  readonly config: TransformerConfig;
  readonly weights: Weights;
  readonly size: LatentSize;
}

/** A transformer of DreamX-World's kind, as wide as a case wants it. */
function transformerOf(widths: Partial<TransformerConfig>, size: LatentSize = SIX): SizedTransformer {
  const small = { dim: 32, ffnDim: 48, numHeads: 2, numLayers: 2, freqDim: 8, textDim: 8, textLen: 6, zDim: 4 };
  const config = { ...dreamx().transformer, ...small, ...widths };
  const random = seededRandom(3);
  const tensors = Array.from(transformerShapes(config), ([name, shape]): [string, StoredWeight] => {
    return [name, randomWeight(name, shape, random)];
  });
  return { config, weights: new Weights(new Map(tensors)), size };
}

type Feeds = Record<string, DeviceTensor>;

/** Other numbers for each world. */
function feedsOf(device: Device, inputs: Iterable<readonly [string, { readonly shape: Shape }]>, world: number): Feeds {
  return Object.fromEntries(Array.from(inputs, ([name, { shape }], i) => {
    const noise = normalNoise(BigInt(100 * world + i), 0, sizeOf(shape));
    return [name, device.upload(f32(shape, noise.map((x) => 0.5 * x)))];
  }));
}

async function run(device: Device, graph: Graph, feeds: Feeds): Promise<Feeds> {
  const program = await device.compile(graph);
  const outputs = await program.run(feeds);
  program.dispose();
  return outputs;
}

async function numbers(outputs: Feeds): Promise<Record<string, number[]>> {
  const read: Record<string, number[]> = {};
  for (const [name, tensor] of Object.entries(outputs)) read[name] = [...(await tensor.read()).data as Float32Array];
  return read;
}

/** What a world's own programs give, and the feeds of its share in a joined one. */
async function alone(
  device: Device,
  { config, weights, size }: SizedTransformer,
  { kind, context }: WorldPass,
  world: number,
): Promise<{ readonly expected: Record<string, number[]>; readonly feeds: Feeds }> {
  const graph = (kind === "denoise" ? denoiseGraph : contextGraph)(config, weights, context, size);
  const own = [...graph.inputs].filter(([name]) => !name.startsWith("past."));
  const feeds = feedsOf(device, own, world);
  if (context === 0) return { expected: await numbers(await run(device, graph, feeds)), feeds };
  const past = pastGraph(config, context, size);
  const blocks = feedsOf(device, past.inputs, 50 + world);
  const joined = await run(device, past, blocks);
  const outputs = await run(device, graph, { ...feeds, ...joined });
  return { expected: await numbers(outputs), feeds: { ...feeds, ...blocks } };
}

async function assertAlike(
  device: Device,
  model: SizedTransformer,
  passes: readonly WorldPass[],
): Promise<void> {
  const worlds = [];
  for (const [world, pass] of passes.entries()) worlds.push(await alone(device, model, pass, world));
  const feeds = Object.fromEntries(
    worlds.flatMap(({ feeds }, world) => Object.entries(feeds).map(([name, feed]) => [worldName(world, name), feed])),
  );
  const outputs = await run(device, joinedPassesGraph(model.config, model.weights, passes, model.size), feeds);
  const found = await numbers(outputs);
  const expected = worlds.flatMap(({ expected }, world) =>
    Object.entries(expected).map(([name, data]) => [worldName(world, name), data] as const)
  );
  assert.deepEqual(Object.keys(found).sort(), expected.map(([name]) => name).sort());
  for (const [name, data] of expected) {
    assert.ok(new Set(data).size > data.length / 2, name);
    assert.deepEqual(found[name], data, name);
  }
  releaseAll([...Object.values(outputs), ...Object.values(feeds)]);
}

const full = contextBlocks(dreamx().transformer);
const MIXED: readonly (readonly WorldPass[])[] = [
  [{ kind: "denoise", context: full }, { kind: "denoise", context: full }],
  [{ kind: "denoise", context: 0 }, { kind: "denoise", context: 2 }, { kind: "context", context: 1 }],
  [{ kind: "context", context: 0 }, { kind: "context", context: full }],
  [
    ...[{ kind: "denoise", context: 1 }, { kind: "denoise", context: full }, {
      kind: "context",
      context: full,
    }] as const,
    { kind: "context", context: 0 },
  ],
];

test("passes of two, three and four worlds at different depths are each bit for bit what they are alone", async (t) => {
  const device = await openTestDevice();
  if (typeof device === "string") return t.skip(device);
  for (const passes of MIXED) await assertAlike(device, transformerOf({}), passes);
  device.dispose();
});

const emulated = await openEmulated("EMULATED8", "f32");
after(() => emulated?.device.dispose());

test("so they are where the products of one world are in tiles, and in parts", {
  skip: emulated ? false : "no adapter was found",
}, async () => {
  const wide = transformerOf({ dim: 128, ffnDim: 1024, numHeads: 2, numLayers: 1 }, { width: 8, height: 2 });
  emulated!.limits.processors = 8;
  const passes = [{ kind: "denoise", context: 1 }, { kind: "denoise", context: 0 }] as const;
  const divisions = (graph: Graph) =>
    lowerGraph(graph, emulated!.limits, "f32").steps.filter(({ what }) => what === "matmul").map(({ code, kernel }) =>
      `${kernel}${code.includes("params.partSlices") ? " in parts" : ""}`
    );
  const divided = divisions(denoiseGraph(wide.config, wide.weights, 1, wide.size));
  assert.ok(divided.includes("matmul_tiled") && divided.includes("matmul_tiled in parts"), divided.join());
  assert.deepEqual(divisions(joinedPassesGraph(wide.config, wide.weights, passes, wide.size)), divided);
  await assertAlike(emulated!.device, wide, passes);
});

async function nano(part: string): Promise<unknown> {
  const file = new URL(`../../../models/corridor-nano/${part}/config.json`, import.meta.url);
  return JSON.parse(await readFile(file, "utf8"));
}

test("worlds share passes where the mean of their moves comes no later by the cost of the device, and never on a CPU", async () => {
  const most = (whole: ArworldConfig, latents: LatentSize, gpu: Partial<GpuLimits>, precision: Precision) => {
    const limits = { ...DESKTOP_LIMITS, maxComputeWorkgroupStorageSize: 32768, ...gpu };
    const estimate = (graph: Graph) => estimateProgram(graph, precision, limits);
    const weights = describedWeights(transformerShapes(whole.transformer));
    return mostWorlds({ estimate }, whole.transformer, weights, latents);
  };
  const matrices = { tile: "MATRIX16" } as const;
  const small = parseArworldConfig(await nano("base"), await nano("causal"));
  assert.equal(most(small, { width: 6, height: 4 }, matrices, "f16"), 4);
  assert.equal(most(small, { width: 6, height: 4 }, {}, "f32"), 4);
  // Two together take 1.8 times what one takes; one after the other they end after 1.5 times that in the mean.
  assert.equal(most(dreamx(), { width: 32, height: 20 }, matrices, "f16"), 1);
  const { config, weights, size } = transformerOf({});
  assert.equal(mostWorlds({}, config, weights, size), 1);
  assert.equal(mostWorlds({ estimate: () => ({ time: 1, scratchBytes: 2 ** 30 }) }, config, weights, size), 1);
});
