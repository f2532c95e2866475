/**
 * Makes a walk on a server: as one rollout, or move by move.
 *
 * @module
 */
import { cameraOfKeys } from "../../lib/world/protocol/camera_keys.ts";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { ChunkRecord, JobRecord, MoveReceipt } from "../../lib/world/protocol/job_record.ts";
import type { WalkRequest } from "./walk_request.ts";
import { type MadeBefore, walkProgress } from "./walk_progress.ts";
import type { WalkReport } from "./walk_report.ts";

/** A walk that was made. */
export interface MadeWalk {
  readonly video: Uint8Array;
  /** Its chunks, with their ranges of frames in the whole video. */
  readonly chunks: readonly ChunkRecord[];
  readonly frames: number;
  readonly format: Pick<MoveReceipt, "width" | "height" | "fps">;
}

/** What making a walk depends on. */
interface WalkMaker {
  readonly client: WorldClient;
  readonly report: WalkReport;
  /** Cancels the walk. */
  readonly signal: AbortSignal;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
}

const VIDEO = "/v1/world/session/walk/media/output";

/** Makes a walk. */
export async function makeWalk(maker: WalkMaker, request: WalkRequest, prompt: string): Promise<MadeWalk> {
  return await (request.moves ? byMoves(maker, request, prompt) : byRollout(maker, request, prompt));
}

async function byRollout(maker: WalkMaker, { walk, rollout }: WalkRequest, prompt: string): Promise<MadeWalk> {
  const { client, signal } = maker;
  const body = {
    ...rollout,
    prompt,
    actionSeq: walk.actions,
    actionSpeedList: walk.weights,
    numOutputFrames: walk.latentFrames,
  };
  const progress = progressOf(maker, walk.actions.length);
  const job = await runWalkJob(client, () => client.startRollout(body), { signal, onProgress: progress });
  const receipt = receiptOf(job);
  const video = await client.output(job.jobId, { signal });
  return { video, chunks: job.chunks, frames: receipt.pixelFrameCount, format: receipt };
}

/** Each action is a transition, as on the page; the video is that of the session's walk. */
async function byMoves(maker: WalkMaker, { walk, moves, rollout }: WalkRequest, prompt: string): Promise<MadeWalk> {
  const { client, signal } = maker;
  const { speed: _speed, ...format } = rollout;
  const chunks: ChunkRecord[] = [];
  const progress = progressOf(maker, walk.actions.length);
  let frames = 0;
  let last: MoveReceipt | undefined;
  for (const [blocks, action] of walk.actions.entries()) {
    const body = { ...format, ...moves, prompt, camera: cameraOfKeys(action) };
    const from = Math.max(0, frames - 1); // a move begins with the frame that the one before ended with
    const before = { blocks, frames: from };
    const onProgress = (job: JobRecord): void => progress(job, before);
    const job = await runWalkJob(client, () => client.startTransition(body), { signal, onProgress });
    last = receiptOf(job);
    if (job.receipt?.replayed) {
      // The inverse of the move before it takes that one out of the walk.
      throw new Error(`Cannot make the walk move by move: ${action} undoes the move before it, omit both`);
    }
    chunks.push(...job.chunks.map((chunk) => shifted(chunk, from)));
    frames = from + last.pixelFrameCount;
  }
  return { video: await client.media(VIDEO, { signal }), chunks, frames, format: last! }; // a walk has an action
}

function shifted(chunk: ChunkRecord, by: number): ChunkRecord {
  const [start, end] = chunk.pixelFrameRange;
  return { ...chunk, pixelFrameRange: [start + by, end + by] };
}

/** Reports the progress of a walk. */
function progressOf(
  { report, now }: WalkMaker,
  total: number,
): (job: JobRecord, before?: MadeBefore) => void {
  const start = now();
  return (job, before) => {
    const seconds = (now() - start) / 1000;
    report.emit({ event: "progress", ...walkProgress(job, total, seconds, before) });
  };
}

function receiptOf({ receipt, rolloutReceipt }: JobRecord): MoveReceipt {
  const made = receipt ?? rolloutReceipt;
  if (made) return made;
  throw new Error("Cannot summarize the walk: the server sent no receipt for its job");
}

/** Options of {@linkcode runWalkJob}. */
interface WalkJobOptions {
  /** Cancels the walk on the server. */
  readonly signal: AbortSignal;
  readonly onProgress: (job: JobRecord) => void;
}

/**
 * Starts a job and follows it to its completion. When the signal aborts, the job is cancelled and its end awaited, so
 * that the server's session is rolled back; then the signal's reason is thrown.
 *
 * @param start The request itself is not aborted: a job whose id is unknown could not be cancelled.
 */
async function runWalkJob(
  client: WorldClient,
  start: () => Promise<JobRecord>,
  options: WalkJobOptions,
): Promise<JobRecord> {
  options.signal.throwIfAborted();
  const { jobId: id } = await start();
  try {
    return await client.awaitJob(id, options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    await client.cancel(id).then(() => client.awaitJob(id)).catch(() => {}); // ends with job_cancelled, as requested
    throw options.signal.reason;
  }
}
