/**
 * What the passes of a block are fed: its conditions, its window and its noise levels.
 *
 * @module
 */
import { type DeviceTensor, f32, type Shape, sizeOf, type Tensor } from "../../../compute/tensor/mod.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import { type BlockCache, cacheFeeds } from "../../world/device_state.ts";
import { contextBlocks, type TransformerConfig } from "../config.ts";
import { anchorFeeds, type LatentAnchor } from "../latent_memory.ts";
import { LATENTS_PER_BLOCK } from "../trajectory.ts";
import type { CameraTensors } from "../transformer/window_inputs.ts";
import { SAMPLER_STEPS } from "./sampler_math.ts";
import type { TimeTables } from "./time_tables.ts";

/** The conditions of a block. */
export interface SamplerBlock {
  /** Committed blocks in the window, oldest first. */
  readonly context: readonly BlockCache[];
  /** Keys and values of the prompt. */
  readonly text: BlockCache;
  /** Chunk-relative world-to-camera matrices, [3,16]. */
  readonly cameras: CameraTensors;
  /** The clean first frame [z,h,w] of a chain; only its first block has it. */
  readonly firstFrame?: Float32Array | undefined;
  /** Latents from memory that frames are drawn towards, at most one per frame. */
  readonly anchors?: readonly LatentAnchor[];
  /** Standard normal numbers in the order of the latents [3,z,h,w]: step 0 before the first pass, 1 to 3 after it. */
  readonly noise: (step: number) => Float32Array;
}

/** A block with the feeds of its passes that stand for its window. */
export interface WindowedBlock extends SamplerBlock {
  readonly window: Record<string, Tensor | DeviceTensor>;
}

/** Added to the logits of hidden keys. */
const HIDDEN = -30000;

/** The initial noise of a block, with the known first frame in its place. */
export function startOf(block: SamplerBlock): Float32Array {
  const noise = block.noise(0);
  if (!block.firstFrame) return noise;
  const start = noise.slice();
  start.set(block.firstFrame);
  return start;
}

/** A noise level for each frame; a known first frame has none. */
function levels(sigma: number, first: boolean): Tensor {
  return f32([LATENTS_PER_BLOCK, 1, 1, 1], [first ? 0 : sigma, sigma, sigma]);
}

/** The feeds of a pass: a step of the sampler, or the one over clean latents that fills the caches. */
export function passFeeds(
  block: WindowedBlock,
  pass: number,
  latents: Tensor | DeviceTensor,
  times: TimeTables,
): Record<string, Tensor | DeviceTensor> {
  if (pass === SAMPLER_STEPS.length) return { latents, ...times.context, ...conditions(block) };
  const last = pass === SAMPLER_STEPS.length - 1;
  const first = block.firstFrame !== undefined;
  const { shape } = latents;
  return {
    latents,
    noise: f32(shape, last ? new Float32Array(sizeOf(shape)) : block.noise(pass + 1)),
    sigma: levels(SAMPLER_STEPS[pass].sigma, first),
    nextSigma: levels(last ? 0 : SAMPLER_STEPS[pass + 1].sigma, first),
    ...anchorFeeds(block.anchors ?? [], shape),
    ...times.step(pass, first),
    ...conditions(block),
  };
}

/** The conditions of every pass of a block. */
function conditions({ text, cameras, window }: WindowedBlock): Record<string, Tensor | DeviceTensor> {
  return { ...cacheFeeds("text", text), ...cameras, ...window };
}

/** The committed blocks one by one. */
export function contextFeeds(context: readonly BlockCache[]): Record<string, DeviceTensor> {
  return Object.assign({}, ...context.map((cache, i) => cacheFeeds(`context${i}`, cache)));
}

/** The blocks at the end of the window of the program for all passes, and what hides the slots before them. */
export function windowSlots(
  context: readonly BlockCache[],
  config: TransformerConfig,
  size: LatentSize,
): Record<string, Tensor | DeviceTensor> {
  const { dim, numHeads, numLayers } = config;
  const tokens = LATENTS_PER_BLOCK * (size.height / 2) * (size.width / 2);
  const slots = contextBlocks(config);
  const empty = slots - context.length;
  const nothing = f32([tokens, numHeads, dim / numHeads], new Float32Array(tokens * dim));
  const feeds: Record<string, Tensor | DeviceTensor> = {
    windowBias: f32(
      [1, 1, (slots + 1) * tokens],
      new Float32Array((slots + 1) * tokens).fill(HIDDEN, 0, empty * tokens),
    ),
  };
  for (let slot = 0; slot < slots; slot++) {
    const name = `context${slot}`;
    if (slot >= empty) Object.assign(feeds, cacheFeeds(name, context[slot - empty]));
    else for (let i = 0; i < numLayers; i++) feeds[`${name}.k.${i}`] = feeds[`${name}.v.${i}`] = nothing;
  }
  return feeds;
}

/** What the program for all passes is fed when its latents [3,z,h,w] are not asked for. */
export function unusedStep(shape: Shape): Record<string, Tensor> {
  const zeros = f32(shape, new Float32Array(sizeOf(shape)));
  return { noise: zeros, sigma: levels(0, false), nextSigma: levels(0, false), ...anchorFeeds([], shape) };
}
