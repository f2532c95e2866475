/**
 * Replays the last edge in reverse: its frames reversed, its source state restored exactly, without the model's device.
 *
 * @module
 */
import type { RgbFrames } from "../../../media/images/rgb_image.ts";
import { artifactNames } from "../artifacts.ts";
import type { Edge, KeptFrames, RetainedEdge } from "./edges.ts";
import type { Job } from "../moves/job.ts";
import { keepModelState, ModelStateLost, writeAllOrNothing, type WriteNew } from "../rollback.ts";
import type { Scene } from "../scene/scene.ts";
import type { MoveTools } from "../moves/run_move.ts";
import type { WorldFiles } from "../world_files.ts";
import { conflict } from "../../../errors/svc_error.ts";

/** An accepted replay. */
export interface ReplayStart {
  readonly edge: Edge;
  readonly retained: RetainedEdge;
  readonly number: number;
  readonly outputPath: string;
  /** The state that is left. */
  readonly from: Scene;
}

/** The result of a replay. */
export interface ReplayEnd {
  readonly frames: number;
  readonly framePath: string;
}

/** Whether all frames of an edge can still be read. */
export async function hasFrames(files: WorldFiles, { frames }: RetainedEdge): Promise<boolean> {
  const found = await Promise.all(frames.map(({ path }) => files.open(path).catch(() => undefined)));
  return found.every((file) => file !== undefined);
}

/** Runs an accepted replay. A failure or cancellation rolls everything back. */
export async function replayEdge<T>(
  tools: MoveTools,
  job: Job,
  start: ReplayStart,
  settle: (end: ReplayEnd) => Promise<T>,
): Promise<T> {
  const { files, model } = tools;
  const chunks = files.statePath(artifactNames(start.number).chunks("transition"));
  return await writeAllOrNothing(files, job, [chunks], async (write) => {
    const end = await showBackwards(tools, job, start, write);
    job.signal.throwIfAborted();
    const { modelState } = start.retained;
    // A source without a chain has no state to restore: the next move starts a new chain from its image.
    if (modelState === undefined) return await settle(end);
    const { result, before } = await keepModelState(model, start.from.depth > 0, async () => {
      await model.restore(modelState).catch((cause) => {
        throw new ModelStateLost("Cannot walk back: the model has lost the state", { cause });
      });
      return await settle(end);
    });
    if (before !== undefined) await model.release(before);
    return result;
  });
}

async function showBackwards(
  { files, media, deliver }: MoveTools,
  job: Job,
  { edge, retained, number, outputPath }: ReplayStart,
  write: WriteNew,
): Promise<ReplayEnd> {
  const names = artifactNames(number);
  const { fps } = edge;
  const blocks = [...retained.frames].reverse();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let shown = 0;
  for (const [block, kept] of blocks.entries()) {
    job.signal.throwIfAborted();
    job.progress("replaying", block, blocks.length, block / blocks.length);
    const frames = await readReversed(files, edge, kept);
    const { bytes, codec } = await media.encodeChunk(frames, { fps, firstFrame: shown, container: "fmp4" });
    const path = files.statePath(names.chunk("transition", block));
    await write(path, bytes);
    chunks.push(bytes);
    job.addChunk({ block, blocks: blocks.length, firstFrame: shown, frames: kept.count, codec, path });
    await deliver?.({ jobId: job.id, block, firstFrame: shown, frames, mp4: bytes });
    shown += kept.count;
  }
  job.progress("saving", blocks.length, blocks.length, 1);
  const framePath = files.statePath(names.frame);
  await write(framePath, await media.encodePng(edge.source.frame!.image)); // an edge starts from an image
  const joined = await media.joinChunks(chunks, { fps });
  await write(outputPath, joined.bytes);
  return { frames: shown, framePath };
}

async function readReversed(files: WorldFiles, { geometry }: Edge, { path, count }: KeptFrames): Promise<RgbFrames> {
  const size = geometry.width * geometry.height * 3;
  const file = await files.open(path);
  if (file?.size !== size * count) {
    const message = "Cannot walk back: the frames of the edge have been changed on disk, reset or move on instead";
    throw conflict("edge_frames_lost", message);
  }
  const bytes = new Uint8Array(await new Response(file.stream(0, file.size - 1)).arrayBuffer());
  const data = new Uint8Array(bytes.length);
  for (let i = 0; i < count; i++) data.set(bytes.subarray(size * i, size * (i + 1)), size * (count - 1 - i));
  return { ...geometry, count, data };
}
