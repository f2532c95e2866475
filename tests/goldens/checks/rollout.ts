/**
 * A rollout with injected noise, as the goldens store it, pass by pass and by the sampler itself.
 *
 * @module
 */
import { BlockSampler, type SampledBlock } from "../../../lib/models/arworld/sampling/block_sampler.ts";
import { contextBlocks, type TransformerConfig } from "../../../lib/models/arworld/config.ts";
import type { BlockCache } from "../../../lib/models/world/device_state.ts";
import { CONTEXT_TIMESTEP, SAMPLER_STEPS } from "../../../lib/models/arworld/sampling/sampler_math.ts";
import { slideWindow } from "../../../lib/models/arworld/sampling/generate_block.ts";
import { TimeTables } from "../../../lib/models/arworld/sampling/time_tables.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { embedContext, keysValues } from "../../../lib/models/arworld/transformer/attention.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import type { Weights } from "../../../lib/models/checkpoint/weights.ts";
import type { Device, DeviceTensor, Tensor } from "../../../lib/compute/tensor/mod.ts";
import { type Golden, part, swapFirstAxes } from "../golden.ts";
import { runGraph } from "../run_graph.ts";
import { chunksOf } from "../stream_runner.ts";
import { intrinsicsOf, padRows } from "../transformer_inputs.ts";
import type { TransformerPasses } from "../transformer_passes.ts";

/** The injected inputs of a rollout, by block and frame-major. */
export interface Rollout {
  readonly config: TransformerConfig;
  readonly weights: Weights;
  readonly blocks: number;
  /** Real rows of the prompt. */
  readonly prompt: Tensor<"f32">;
  /** [z,h,w] */
  readonly firstFrame: Float32Array;
  readonly noise: (block: number, step: number) => Tensor<"f32">;
  /** [3,16] */
  readonly views: (block: number) => Float32Array;
}

/** Reads the inputs, and checks the camera track against our own of the actions in the configuration. */
export function readRollout(golden: Golden, config: TransformerConfig, weights: Weights, rest: {
  readonly prompt: Tensor<"f32">;
  readonly firstFrame: Float32Array;
}): Rollout {
  const blocks = golden.number("blocks");
  const initial = chunksOf(swapFirstAxes(golden.input("noise")), Array.from({ length: blocks }, () => 3));
  const fresh = golden.input("renoise");
  const views = golden.input("viewmats").data;
  const path = golden.config.actions as [string, number][];
  const ours = latentViews({
    steps: path.map(([keys]) => stepOfKeys(keys)),
    weights: path.map(([, weight]) => weight),
    latentFrames: 3 * blocks,
    speed: golden.number("speed"),
  });
  golden.check("camera track", chunkRelativeViews(ours), views, 3e-5);
  return {
    config,
    weights,
    blocks,
    ...rest,
    noise: (block, step) => step === 0 ? initial[block] : swapFirstAxes(part(fresh, block, step - 1)),
    views: (block) => views.subarray(48 * block, 48 * block + 48),
  };
}

/** What a network pass of a rollout was given and gave; latents as the goldens store them. */
export interface TracedPass {
  readonly timesteps: readonly number[];
  readonly x: Float32Array;
  readonly velocity: Float32Array;
  /** Without the known frame put back. */
  readonly x0: Float32Array;
}

/** One block of the sampler written out pass by pass. */
export async function traceBlock(
  transformer: TransformerPasses,
  rollout: Rollout,
  block: number,
): Promise<{ readonly passes: TracedPass[]; readonly latents: Tensor<"f32"> }> {
  const start = rollout.noise(block, 0);
  const data = start.data.slice();
  if (block === 0) data.set(rollout.firstFrame);
  let latents: Tensor<"f32"> = { ...start, data };
  const clamp = (values: Float32Array): Tensor<"f32"> => {
    if (block === 0) values.set(rollout.firstFrame);
    return { ...start, data: values };
  };
  transformer.window.enter(block);
  const passes: TracedPass[] = [];
  const stored = (values: Float32Array) => swapFirstAxes({ ...start, data: values }).data;
  for (let step = 0; step <= SAMPLER_STEPS.length; step++) {
    const level = SAMPLER_STEPS[step];
    const t = level?.timestep ?? CONTEXT_TIMESTEP;
    const timesteps = [level && block === 0 ? 0 : t, t, t];
    const views = rollout.views(block);
    const got = await transformer.run({ latents, timesteps, prompt: rollout.prompt, views });
    const velocity = swapFirstAxes(got.velocity).data;
    const x0 = level ? latents.data.map((x, i) => x - level.sigma * velocity[i]) : latents.data;
    passes.push({ timesteps, x: stored(latents.data), velocity: stored(velocity), x0: stored(x0) });
    if (!level) break;
    const clean = clamp(x0.slice());
    const next = SAMPLER_STEPS[step + 1];
    if (next) {
      const { data: noise } = rollout.noise(block, step + 1);
      latents = clamp(clean.data.map((x, i) => (1 - next.sigma) * x + next.sigma * noise[i]));
    } else latents = clean;
  }
  return { passes, latents };
}

/** The sampler itself; what it gives must be released. */
export async function sampleRollout(golden: Golden, device: Device, rollout: Rollout, text: BlockCache): Promise<{
  readonly blocks: SampledBlock[];
  /** Everything that the last block saw, itself included. */
  readonly window: readonly BlockCache[];
}> {
  const { config, weights } = rollout;
  const [, , height, width] = rollout.noise(0, 0).shape;
  const times = await TimeTables.compute(device, config, weights);
  const sampler = new BlockSampler(device, config, weights, times, { height, width });
  const blocks: SampledBlock[] = [];
  let context: readonly BlockCache[] = [];
  let window: readonly BlockCache[] = [];
  for (let block = 0; block < rollout.blocks; block++) {
    const sampled = await sampler.sample({
      context,
      text,
      cameras: cameraTensors(rollout.views(block), intrinsicsOf(golden)),
      firstFrame: block === 0 ? rollout.firstFrame : undefined,
      noise: (step) => rollout.noise(block, step).data,
    });
    blocks.push(sampled);
    window = [...context, sampled.cache];
    context = slideWindow(context, sampled.cache, contextBlocks(config));
  }
  sampler.dispose();
  times.dispose();
  return { blocks, window };
}

/** What the layers look at of the prompt; must be released. */
export async function textCache(device: Device, { config, weights, prompt }: Rollout): Promise<BlockCache> {
  const got = await runGraph(device, { rows: padRows(prompt, config.textLen) }, ({ rows }) => {
    const context = embedContext(rows, weights);
    const layers = Array.from({ length: config.numLayers }, (_, i) => weights.at(`blocks.${i}.cross_attn`));
    return Object.fromEntries(layers.flatMap((layer, i) => {
      const { k, v } = keysValues(context, layer, config.numHeads);
      return [[`k.${i}`, k], [`v.${i}`, v]];
    }));
  });
  return Array.from({ length: config.numLayers }, (_, i) => ({
    k: device.upload(got[`k.${i}`]),
    v: device.upload(got[`v.${i}`]),
  }));
}

/** Reads floats from the device. */
export async function read(t: DeviceTensor): Promise<Tensor<"f32">> {
  return await t.read() as Tensor<"f32">;
}
