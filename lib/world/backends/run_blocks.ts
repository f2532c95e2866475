/**
 * Generates the blocks of an arworld move.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { ChunkPublisher } from "../session/moves/chunk_publisher.ts";
import { effectiveSeed } from "../session/moves/effective_seed.ts";
import type { Job } from "../session/moves/job.ts";
import type { PlannedBlock } from "../protocol/rollout_plan.ts";
import type { Scene } from "../session/scene/scene.ts";
import { type SceneMemory, visitBlock } from "../session/scene/scene_memory.ts";
import type { SceneMemoryPolicyRecord } from "../protocol/wire.ts";
import { LATENTS_PER_BLOCK } from "../../models/arworld/trajectory.ts";
import type { WorldModel } from "../../models/world/world_model.ts";

/** Progress steps of one block: four denoising steps, the cache pass, decoding. */
const BLOCK_STEPS = 6;

/** The blocks of one job; the model is in the state that they start from. */
export interface BlockRun {
  readonly job: Job;
  readonly blocks: readonly PlannedBlock[];
  readonly prompt: string;
  /** The request's seed. */
  readonly seed: bigint;
  /** The state before the first block. */
  readonly from: Scene;
  readonly memoryPolicy: SceneMemoryPolicyRecord;
}

/**
 * Runs all blocks of a job; returns the scene memory after them.
 * Rejects with the first failure or the reason of the job's signal; a chunk may still be being written then.
 */
export async function runBlocks(model: WorldModel, publisher: ChunkPublisher, run: BlockRun): Promise<SceneMemory> {
  const { job, blocks, from: { depth, frame } } = run;
  const { signal } = publisher;
  const total = blocks.length * BLOCK_STEPS;
  let { memory } = run.from;
  for (const [block, { views, poses }] of blocks.entries()) {
    const seed = effectiveSeed(run.seed, depth + block);
    const visit = visitBlock(memory, run.memoryPolicy, (depth + block) * LATENTS_PER_BLOCK, poses);
    const generated = await model.generate({ prompt: run.prompt, seed, views, memory: visit.block }, {
      signal,
      onProgress: ({ stage, step, loaded }) => {
        if (loaded) return job.loading(loaded);
        const done = block * BLOCK_STEPS + Math.min(step, BLOCK_STEPS - 1);
        job.progress(stage, done, total, done / total);
      },
    });
    signal.throwIfAborted();
    memory = visit.memory;
    // A continuing chain shows its last frame again, so that the clip joins the previous one.
    await publisher.add(block === 0 && depth > 0 ? prepend(frame!.image, generated) : generated);
  }
  await publisher.finish();
  job.progress("saving", total, total, 1);
  return memory;
}

function prepend(image: RgbImage, frames: RgbFrames): RgbFrames {
  const data = new Uint8Array(image.data.length + frames.data.length);
  data.set(image.data);
  data.set(frames.data, image.data.length);
  return { ...frames, count: frames.count + 1, data };
}
