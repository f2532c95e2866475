/**
 * Receipts of completed moves.
 *
 * @module
 */
import type { Backend, PlannedRollout, PlannedTransition } from "../backend.ts";
import type { Edge } from "../graph/edges.ts";
import { seedRecord } from "./effective_seed.ts";
import type { Job } from "./job.ts";
import type { MoveStart } from "./move_start.ts";
import type { SessionState } from "../graph/session_state.ts";
import type { CameraRecord, MoveReceipt, RolloutReceipt, TransitionReceipt } from "../../protocol/job_record.ts";

/** The result of a completed move. */
export interface MoveResult {
  readonly backend: Backend;
  readonly job: Job;
  /** The state that it started from. */
  readonly from: SessionState;
  /** The state that it led to. */
  readonly to: SessionState;
  /** Frames of the video. */
  readonly frames: number;
  readonly framePath: string;
}

/** The receipt of a completed rollout. */
export function rolloutReceipt(result: MoveResult, start: MoveStart<PlannedRollout>): RolloutReceipt {
  return { ...moveReceipt(result, start), ...start.plan.receipt };
}

/** The receipt of a generated transition. */
export function transitionReceipt(
  result: MoveResult,
  start: MoveStart<PlannedTransition>,
  camera: CameraRecord,
): TransitionReceipt {
  return { ...moveReceipt(result, start), camera, replayed: false, ...start.plan.receipt(result.frames) };
}

/** The receipt of a replayed transition. */
export function replayReceipt(
  result: MoveResult,
  edge: Edge,
  outputPath: string,
  camera: CameraRecord,
): TransitionReceipt {
  const { geometry, fps, seed } = edge;
  const receipt = moveReceipt(result, { geometry, fps, seed, outputPath }, true);
  return { ...receipt, camera, replayed: true, ...edge.replayReceipt };
}

function moveReceipt(
  { backend, job, from, to, frames, framePath }: MoveResult,
  { geometry, fps, seed, outputPath }: Pick<MoveStart<unknown>, "geometry" | "fps" | "seed" | "outputPath">,
  replayed = false,
): MoveReceipt {
  const previous = from.path.at(-1);
  return {
    request_id: job.id,
    ...(previous && { previous_state_id: previous.state_id }),
    state_id: to.path[to.path.length - 1].state_id,
    transition_index: to.transitions,
    output_path: outputPath,
    output_media_path: job.mediaPath("output"),
    terminal_frame_path: framePath,
    terminal_frame_media_path: job.mediaPath("terminal-frame"),
    pixel_frame_count: frames,
    width: geometry.width,
    height: geometry.height,
    fps,
    seed: seedRecord(seed),
    conditioning_mode: replayed ? `${backend.conditioningMode}_cached_inverse` : backend.conditioningMode,
    chunks: [...job.chunks],
    ...backend.receiptOf(from, to, replayed),
  };
}
