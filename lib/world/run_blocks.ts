/**
 * Generates the blocks of a rollout and encodes each while the next one is generated.
 *
 * @module
 */
import { frameAt, type RgbFrames, type RgbImage } from "../media/rgb_image.ts";
import type { Job } from "./job.ts";
import type { KeptFrames } from "./retained_edges.ts";
import type { PlannedBlock } from "./rollout_plan.ts";
import { type SceneMemory, visitBlock } from "./scene_memory.ts";
import type { SceneMemoryPolicyRecord } from "./wire.ts";
import type { WorldMedia } from "./world_media.ts";
import { LATENTS_PER_BLOCK } from "../models/arworld/trajectory.ts";
import type { WorldModel } from "../models/world_model.ts";

/** Progress steps of one block: four denoising steps, the cache pass, decoding. */
const BLOCK_STEPS = 6;
const U64 = 1n << 64n;

/** The blocks of one job; the model stands where they start. */
export interface BlockRun {
  readonly job: Job;
  readonly blocks: readonly PlannedBlock[];
  readonly prompt: string;
  /** The request's seed. */
  readonly seed: bigint;
  /** Latents that the chain has generated before. */
  readonly latents: number;
  readonly memory: SceneMemory;
  readonly memoryPolicy: SceneMemoryPolicyRecord;
  readonly fps: number;
  /** The frame that opens the first chunk when the chain goes on: the last one that was shown. */
  readonly boundary: RgbImage | undefined;
  /** Absolute path of a chunk's file. */
  readonly chunkPath: (block: number) => string;
  /** Absolute path for the raw frames of a block; without it they are not kept. */
  readonly keptPath: ((block: number) => string) | undefined;
  /** Writes a new file. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** What the blocks have become. */
export interface BlockResult {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly frames: number;
  readonly lastFrame: RgbImage;
  readonly memory: SceneMemory;
  readonly kept: readonly KeptFrames[];
}

/**
 * Runs all blocks of a job. At most one chunk is being encoded while the next block is generated; a chunk is listed in
 * the job once its file is complete.
 *
 * Rejects with the first failure or the reason of the job's signal, and writes nothing any more from then on.
 */
export async function runBlocks(model: WorldModel, media: WorldMedia, run: BlockRun): Promise<BlockResult> {
  const { job, blocks } = run;
  const total = blocks.length * BLOCK_STEPS;
  // A chunk that cannot be written stops the generation of the block after it.
  const broken = new AbortController();
  const signal = AbortSignal.any([job.signal, broken.signal]);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const kept: KeptFrames[] = [];
  let { memory } = run;
  let shown = 0;
  let lastFrame = run.boundary;
  let publishing: Promise<void> = Promise.resolve();

  const publish = async (block: number, frames: RgbFrames, firstFrame: number): Promise<void> => {
    const { bytes, codec } = await media.encodeChunk(frames, { fps: run.fps, firstFrame, container: "fmp4" });
    signal.throwIfAborted();
    const path = run.chunkPath(block);
    await run.write(path, bytes);
    chunks.push(bytes);
    job.addChunk({ block, blocks: blocks.length, firstFrame, frames: frames.count, codec, path });
    if (!run.keptPath) return;
    const keptPath = run.keptPath(block);
    await run.write(keptPath, frames.data);
    kept.push({ path: keptPath, count: frames.count });
  };

  try {
    for (const [block, { views, poses }] of blocks.entries()) {
      const firstLatent = run.latents + block * LATENTS_PER_BLOCK;
      const seed = effectiveSeed(run.seed, firstLatent);
      const visit = visitBlock(memory, run.memoryPolicy, firstLatent, poses);
      const generated = await model.generate({ prompt: run.prompt, seed, views, memory: visit.block }, {
        signal,
        onProgress: ({ stage, step }) => {
          const done = block * BLOCK_STEPS + Math.min(step, BLOCK_STEPS - 1);
          job.progress(stage, done, total, done / total);
        },
      });
      signal.throwIfAborted();
      memory = visit.memory;
      const last = frameAt(generated, generated.count - 1);
      lastFrame = { ...last, data: last.data.slice() };
      const frames = block === 0 && run.boundary ? prepend(run.boundary, generated) : generated;
      await publishing;
      publishing = publish(block, frames, shown);
      publishing.catch((error) => broken.abort(error));
      shown += frames.count;
    }
    await publishing;
  } finally {
    await publishing.catch(() => {});
  }
  job.progress("saving", total, total, 1);
  return { chunks, frames: shown, lastFrame: lastFrame!, memory, kept };
}

/** The seed of a block: the request's plus the blocks that the chain has generated before, modulo 2^64. */
export function effectiveSeed(seed: bigint, latents: number): bigint {
  return (seed + BigInt(latents / LATENTS_PER_BLOCK)) % U64;
}

function prepend(image: RgbImage, frames: RgbFrames): RgbFrames {
  const data = new Uint8Array(image.data.length + frames.data.length);
  data.set(image.data);
  data.set(frames.data, image.data.length);
  return { ...frames, count: frames.count + 1, data };
}
