/**
 * Carries out an accepted move by generating: model and files, all or nothing.
 *
 * @module
 */
import { artifactNames } from "./artifact_numbers.ts";
import type { PlannedMove } from "./backend.ts";
import { ChunkPublisher, type DeliverChunk } from "./chunk_publisher.ts";
import type { Job } from "./job.ts";
import { keepModelState } from "./keep_model_state.ts";
import type { MoveStart } from "./move_start.ts";
import type { RetainedEdge } from "./retained_edges.ts";
import type { Scene } from "./scene.ts";
import type { WorldFiles } from "./world_files.ts";
import type { WorldMedia } from "./world_media.ts";
import { writeAllOrNothing, type WriteNew } from "./write_all_or_nothing.ts";
import type { ChainModel } from "../../models/world/world_model.ts";

/** What a move works with. */
export interface MoveTools {
  readonly model: ChainModel;
  readonly media: WorldMedia;
  readonly files: WorldFiles;
  readonly deliver?: DeliverChunk | undefined;
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
  start: MoveStart<PlannedMove>,
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
  const { publisher, ...end } = result;
  // A new world starts from its picture: what the model had before belongs to the world that was left.
  const modelState = start.from.depth > 0 ? before : undefined;
  if (before !== undefined && modelState === undefined) await model.release(before);
  return { ...end, frames: publisher.frames, retained: { modelState, folder, frames: publisher.kept } };
}

async function generate(
  { model, media, files, deliver }: MoveTools,
  job: Job,
  { from, plan, geometry, kind, number, newSource, fps, outputPath }: MoveStart<PlannedMove>,
  keepFrames: boolean,
  write: WriteNew,
): Promise<Pick<MoveEnd, "scene" | "framePath"> & { readonly publisher: ChunkPublisher }> {
  const names = artifactNames(number);
  const source = from.frame!; // an accepted move has a picture to start from
  if (newSource) await write(source.path, await media.encodePng(source.image));
  if (from.depth === 0) await model.begin(source.image, geometry);
  const publisher = new ChunkPublisher({
    job,
    media,
    fps,
    chunks: plan.chunks,
    chunkPath: (chunk) => files.statePath(names.chunk(kind, chunk)),
    keptPath: keepFrames ? (chunk) => files.statePath(names.keptBlock(chunk)) : undefined,
    write,
    deliver,
  });
  // Whatever fails, nothing may be written any more once this has ended.
  const made = await plan.generate(job, publisher).finally(() => publisher.finish().catch(() => {}));
  const image = publisher.lastFrame!;
  const framePath = files.statePath(names.frame);
  await write(framePath, await media.encodePng(image));
  const joined = await media.joinChunks(publisher.bytes, { fps });
  job.signal.throwIfAborted();
  await write(outputPath, joined.bytes);
  job.signal.throwIfAborted();
  const scene = { ...made, frame: { image, path: framePath, jobId: job.id }, geometry };
  return { scene, framePath, publisher };
}
