/**
 * Carries out an accepted rollout: model, files and receipt, all or nothing.
 *
 * @module
 */
import { artifactNames } from "./artifact_numbers.ts";
import type { Job } from "./job.ts";
import { keepModelState } from "./keep_model_state.ts";
import { type Place, placeAfterRollout } from "./place.ts";
import type { RolloutStart } from "./rollout_start.ts";
import { type BlockRun, runBlocks } from "./run_blocks.ts";
import { rolloutReceipt } from "./session_records.ts";
import type { RolloutReceipt } from "./wire.ts";
import type { WorldFiles } from "./world_files.ts";
import type { WorldMedia } from "./world_media.ts";
import type { WorldModel } from "../models/world_model.ts";

/** What a rollout works with. */
export interface RolloutTools {
  readonly model: WorldModel;
  readonly media: WorldMedia;
  readonly files: WorldFiles;
  readonly randomId: () => string;
}

/** Where a completed rollout has led. */
export interface RolloutEnd {
  readonly place: Place;
  readonly receipt: RolloutReceipt;
}

/**
 * Runs a rollout from an accepted start.
 *
 * When it fails or is cancelled, the model's state is as before and everything that was written is removed.
 *
 * @param hasChain Whether the model has a chain that must survive a failure.
 */
export async function runRollout(
  tools: RolloutTools,
  job: Job,
  start: RolloutStart,
  hasChain: boolean,
): Promise<RolloutEnd> {
  const { files } = tools;
  const written: string[] = [];
  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    await files.writeNew(path, bytes);
    written.push(path);
  };
  try {
    return await keepModelState(tools.model, hasChain, () => generate(tools, job, start, write));
  } catch (error) {
    job.dropChunks();
    const folder = files.statePath(artifactNames(start.number).chunks);
    // The first failure is the one to tell of, even when a file cannot be removed any more.
    await Promise.allSettled([...written, folder].map((path) => files.remove(path)));
    throw error;
  }
}

async function generate(
  { model, media, files, randomId }: RolloutTools,
  job: Job,
  start: RolloutStart,
  write: BlockRun["write"],
): Promise<RolloutEnd> {
  const { request, from, plan, geometry } = start;
  const names = artifactNames(start.number);
  const source = from.frame!; // an accepted rollout has a picture to start from
  if (start.newSource) await write(source.path, await media.encodePng(source.image));
  const goesOn = from.latents > 0;
  if (!goesOn) await model.begin(source.image, geometry);
  const { chunks, frames, lastFrame } = await runBlocks(model, media, {
    job,
    blocks: plan.blocks,
    prompt: request.prompt,
    seed: request.seed,
    depth: from.latents / 3,
    fps: start.fps,
    boundary: goesOn ? source.image : undefined,
    chunkPath: (block) => files.statePath(names.chunk(block)),
    write,
  });
  const framePath = files.statePath(names.frame);
  await write(framePath, await media.encodePng(lastFrame));
  const joined = await media.joinChunks(chunks, { fps: start.fps });
  job.signal.throwIfAborted();
  await write(start.outputPath, joined.bytes);
  job.signal.throwIfAborted();
  const place = placeAfterRollout(from, {
    stateId: randomId(),
    frame: { image: lastFrame, path: framePath, jobId: job.id },
    geometry,
    latents: request.latentFrames,
    pose: plan.terminalPose,
  });
  return { place, receipt: rolloutReceipt(job, start, { requestId: job.id, place, frames, framePath }) };
}
