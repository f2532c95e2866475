/**
 * Generates the blocks of a rollout and encodes each while the next one is generated.
 *
 * @module
 */
import { frameAt, type RgbFrames, type RgbImage } from "../media/rgb_image.ts";
import type { Job } from "./job.ts";
import type { PlannedBlock } from "./rollout_plan.ts";
import type { WorldMedia } from "./world_media.ts";
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
  /** Blocks that the chain has generated before. */
  readonly depth: number;
  readonly fps: number;
  /** The frame that opens the first chunk when the chain goes on: the last one that was shown. */
  readonly boundary: RgbImage | undefined;
  /** Absolute path of a chunk's file. */
  readonly chunkPath: (block: number) => string;
  /** Writes a new file. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** What the blocks have become. */
export interface BlockResult {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly frames: number;
  readonly lastFrame: RgbImage;
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
  let shown = 0;
  let lastFrame = run.boundary;
  let publishing: Promise<void> = Promise.resolve();

  const publish = async (block: number, frames: RgbFrames, firstFrame: number): Promise<void> => {
    const { bytes, codec } = await media.encodeChunk(frames, { fps: run.fps, firstFrame, container: "fmp4" });
    signal.throwIfAborted();
    const path = run.chunkPath(block);
    await run.write(path, bytes);
    chunks.push(bytes);
    job.addChunk({
      block_index: block,
      block_count: blocks.length,
      pixel_frame_start: firstFrame,
      pixel_frame_count: frames.count,
      pixel_frame_range: [firstFrame, firstFrame + frames.count],
      codec,
      media_path: job.mediaPath(`chunks/${block}`),
      path,
    });
  };

  try {
    for (const [block, { views }] of blocks.entries()) {
      const seed = (run.seed + BigInt(run.depth + block)) % U64;
      const generated = await model.generate({ prompt: run.prompt, seed, views }, {
        signal,
        onProgress: ({ stage, step }) => {
          const done = block * BLOCK_STEPS + Math.min(step, BLOCK_STEPS - 1);
          job.progress(stage, done, total, done / total);
        },
      });
      signal.throwIfAborted();
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
  return { chunks, frames: shown, lastFrame: lastFrame! };
}

function prepend(image: RgbImage, frames: RgbFrames): RgbFrames {
  const data = new Uint8Array(image.data.length + frames.data.length);
  data.set(image.data);
  data.set(frames.data, image.data.length);
  return { ...frames, count: frames.count + 1, data };
}
