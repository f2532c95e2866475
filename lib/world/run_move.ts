/**
 * Carries out an accepted move by generating: model and files, all or nothing.
 *
 * @module
 */
import { artifactNames } from "./artifact_numbers.ts";
import type { Job } from "./job.ts";
import { keepModelState } from "./keep_model_state.ts";
import type { MoveStart } from "./move_start.ts";
import type { RetainedEdge } from "./retained_edges.ts";
import { type BlockResult, runBlocks } from "./run_blocks.ts";
import type { Scene } from "./scene.ts";
import type { SceneMemoryPolicyRecord } from "./wire.ts";
import type { WorldFiles } from "./world_files.ts";
import type { WorldMedia } from "./world_media.ts";
import { writeAllOrNothing, type WriteNew } from "./write_all_or_nothing.ts";
import { LATENTS_PER_BLOCK } from "../models/arworld/trajectory.ts";
import type { WorldModel } from "../models/world_model.ts";

/** What a move works with. */
export interface MoveTools {
  readonly model: WorldModel;
  readonly media: WorldMedia;
  readonly files: WorldFiles;
  readonly randomId: () => string;
  readonly sceneMemory: SceneMemoryPolicyRecord;
}

/** Where a generated move has led. */
export interface MoveEnd {
  readonly scene: Scene;
  /** Frames of the video. */
  readonly frames: number;
  readonly framePath: string;
  /** What walking back needs; it belongs to the caller. */
  readonly retained: RetainedEdge;
}

/** Options of {@linkcode runMove}. */
export interface RunMoveOptions {
  /** Whether the model has a chain that must survive a failure. */
  readonly hasChain: boolean;
  /** Whether the raw frames are kept for walking back. */
  readonly keepFrames: boolean;
}

/**
 * Runs a move from an accepted start.
 *
 * When it fails or is cancelled, the model's state is as before and everything that was written is removed.
 */
export async function runMove(
  tools: MoveTools,
  job: Job,
  start: MoveStart,
  { hasChain, keepFrames }: RunMoveOptions,
): Promise<MoveEnd> {
  const { model, files } = tools;
  const names = artifactNames(start.number);
  const folder = files.statePath(names.kept);
  const folders = [files.statePath(names.chunks(start.kind)), folder];
  const { result, before } = await writeAllOrNothing(
    files,
    job,
    folders,
    (write) => keepModelState(model, hasChain, () => generate(tools, job, start, keepFrames, write)),
  );
  const { blocks, ...end } = result;
  // A new world starts from its picture: what the model had before belongs to the world that was left.
  const modelState = start.from.latents > 0 ? before : undefined;
  if (before !== undefined && modelState === undefined) await model.release(before);
  return { ...end, frames: blocks.frames, retained: { modelState, folder, frames: blocks.kept } };
}

async function generate(
  { model, media, files, sceneMemory }: MoveTools,
  job: Job,
  start: MoveStart,
  keepFrames: boolean,
  write: WriteNew,
): Promise<Pick<MoveEnd, "scene" | "framePath"> & { readonly blocks: BlockResult }> {
  const { from, plan, geometry, kind } = start;
  const names = artifactNames(start.number);
  const source = from.frame!; // an accepted move has a picture to start from
  if (start.newSource) await write(source.path, await media.encodePng(source.image));
  const goesOn = from.latents > 0;
  if (!goesOn) await model.begin(source.image, geometry);
  const blocks = await runBlocks(model, media, {
    job,
    blocks: plan.blocks,
    prompt: start.prompt,
    seed: start.seed,
    latents: from.latents,
    memory: from.memory,
    memoryPolicy: sceneMemory,
    fps: start.fps,
    boundary: goesOn ? source.image : undefined,
    chunkPath: (block) => files.statePath(names.chunk(kind, block)),
    keptPath: keepFrames ? (block) => files.statePath(names.keptBlock(block)) : undefined,
    write,
  });
  const framePath = files.statePath(names.frame);
  await write(framePath, await media.encodePng(blocks.lastFrame));
  const joined = await media.joinChunks(blocks.chunks, { fps: start.fps });
  job.signal.throwIfAborted();
  await write(start.outputPath, joined.bytes);
  job.signal.throwIfAborted();
  const scene = {
    frame: { image: blocks.lastFrame, path: framePath, jobId: job.id },
    geometry,
    latents: from.latents + plan.blocks.length * LATENTS_PER_BLOCK,
    pose: plan.terminalPose,
    memory: blocks.memory,
  };
  return { scene, framePath, blocks };
}
