/**
 * Runs an accepted move that generates; a failure rolls back model and files.
 *
 * @module
 */
import { artifactNames } from "../artifacts.ts";
import type { PlannedMove } from "../backend.ts";
import { ChunkPublisher, type DeliverChunk } from "./chunk_publisher.ts";
import type { Job } from "./job.ts";
import { keepModelState, writeAllOrNothing, type WriteNew } from "../rollback.ts";
import type { MoveStart } from "./move_start.ts";
import type { RetainedEdge } from "../graph/edges.ts";
import type { Scene } from "../scene/scene.ts";
import type { WorldFiles, WorldMedia } from "../world_files.ts";
import type { ChainModel } from "../../../models/world/world_model.ts";

/** What a move works with. */
export interface MoveTools {
  readonly model: ChainModel;
  readonly media: WorldMedia;
  readonly files: WorldFiles;
  readonly deliver?: DeliverChunk | undefined;
}

/** The outcome of a generated move. */
export interface MoveEnd {
  readonly scene: Scene;
  /** Frames of the video. */
  readonly frames: number;
  readonly framePath: string;
  /** What the replay needs; owned by the caller. */
  readonly retained: RetainedEdge;
}

/** Options of {@linkcode runMove}. */
export interface RunMoveOptions {
  /** Whether the model has a chain that must survive a failure. */
  readonly hasChain: boolean;
  /** Whether the raw frames are kept for a replay. */
  readonly keepFrames: boolean;
}

/** Makes the outcome of a move of what it has made, and writes it down: the last thing that can fail. */
export type Settle<T> = (end: MoveEnd) => Promise<T>;

/**
 * Runs a move from an accepted start.
 * A failure or cancellation restores the model's state and removes everything that was written.
 */
export async function runMove<T>(
  tools: MoveTools,
  job: Job,
  start: MoveStart<PlannedMove>,
  { hasChain, keepFrames }: RunMoveOptions,
  settle: Settle<T>,
): Promise<T> {
  const { model, files } = tools;
  const names = artifactNames(start.number);
  const folder = files.statePath(names.kept);
  const folders = [files.statePath(names.chunks(start.kind)), folder];
  const { result, before } = await writeAllOrNothing(
    files,
    job,
    folders,
    (write) =>
      keepModelState(model, hasChain, async (before) => {
        const { publisher, ...end } = await generate(tools, job, start, keepFrames, write);
        const retained = { modelState: stateOf(start, before), folder, frames: publisher.kept };
        return await settle({ ...end, frames: publisher.frames, retained });
      }),
  );
  if (before !== undefined && stateOf(start, before) === undefined) await model.release(before);
  return result;
}

/** A new world starts from its image: the model's state before belongs to the world that was left. */
function stateOf({ from }: MoveStart<PlannedMove>, before: number | undefined): number | undefined {
  return from.depth > 0 ? before : undefined;
}

async function generate(
  { model, media, files, deliver }: MoveTools,
  job: Job,
  { from, plan, geometry, kind, number, newSource, fps, outputPath }: MoveStart<PlannedMove>,
  keepFrames: boolean,
  write: WriteNew,
): Promise<Pick<MoveEnd, "scene" | "framePath"> & { readonly publisher: ChunkPublisher }> {
  const names = artifactNames(number);
  const source = from.frame!; // an accepted move has an image to start from
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
  // Nothing may be written after this has ended, whatever fails.
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
