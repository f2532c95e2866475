/**
 * Receipts of completed moves.
 *
 * @module
 */
import type { Edge } from "./edge.ts";
import type { Job } from "./job.ts";
import type { MoveStart } from "./move_start.ts";
import type { Place } from "./place.ts";
import { poseRecord } from "./pose.ts";
import type { RolloutRequest } from "./rollout_request.ts";
import { effectiveSeed } from "./run_blocks.ts";
import type { TransitionPlan } from "./transition_plan.ts";
import type { CameraRecord, MoveReceipt, RolloutReceipt, SceneMemoryMode, TransitionReceipt } from "./wire.ts";
import { SAMPLER_SHIFT, SAMPLER_STEPS } from "../models/arworld/sampler_math.ts";

/** What every completed move has come to. */
export interface MoveResult {
  readonly job: Job;
  /** Where it started. */
  readonly from: Place;
  /** Where it has led. */
  readonly place: Place;
  /** Frames of the video. */
  readonly frames: number;
  readonly framePath: string;
  readonly memoryMode: SceneMemoryMode;
}

/** The receipt of a completed rollout. */
export function rolloutReceipt(result: MoveResult, start: MoveStart, request: RolloutRequest): RolloutReceipt {
  return {
    ...generatedReceipt(result, start),
    action_seq: request.actions,
    action_speed_list: request.weights,
    latent_frame_count: request.latentFrames,
    speed: request.speed,
  };
}

/** The receipt of a transition that was generated. */
export function transitionReceipt(
  result: MoveResult,
  start: MoveStart<TransitionPlan>,
  camera: CameraRecord,
): TransitionReceipt {
  const goesOn = start.from.latents > 0;
  return {
    ...generatedReceipt(result, start),
    camera,
    replayed: false,
    effective: {
      steps: SAMPLER_STEPS.length,
      guidance_scale: 1, // the weights are distilled: one pass without an unconditional one
      shift: SAMPLER_SHIFT,
      num_frames: result.frames - (goesOn ? 1 : 0),
      seed: seedRecord(effectiveSeed(start.seed, start.from.latents)),
      action: start.plan.action,
    },
  };
}

/** The receipt of a transition that walked an edge back. */
export function replayReceipt(
  result: MoveResult,
  edge: Edge,
  outputPath: string,
  camera: CameraRecord,
): TransitionReceipt {
  const { geometry, fps, seed } = edge;
  const receipt = moveReceipt(result, { geometry, fps, seed, outputPath });
  return {
    ...receipt,
    conditioning_mode: "causal_camera_latents_cached_inverse",
    scene_memory_retrieval_count: 0,
    scene_memory_recycled_frame_count: 0,
    camera,
    replayed: true,
  };
}

function generatedReceipt(result: MoveResult, start: MoveStart): MoveReceipt {
  const { memory } = result.place;
  return {
    ...moveReceipt(result, start),
    conditioning_mode: "causal_camera_latents",
    scene_memory_retrieval_count: memory.retrievals - start.from.memory.retrievals,
    scene_memory_recycled_frame_count: memory.recycled - start.from.memory.recycled,
  };
}

type CommonReceipt = Omit<
  MoveReceipt,
  "conditioning_mode" | "scene_memory_retrieval_count" | "scene_memory_recycled_frame_count"
>;

function moveReceipt(
  { job, from, place, frames, framePath, memoryMode }: MoveResult,
  { geometry, fps, seed, outputPath }: Pick<MoveStart, "geometry" | "fps" | "seed" | "outputPath">,
): CommonReceipt {
  const previous = from.path.at(-1);
  return {
    request_id: job.id,
    ...(previous && { previous_state_id: previous.state_id }),
    state_id: place.path[place.path.length - 1].state_id,
    transition_index: place.transitions,
    output_path: outputPath,
    output_media_path: job.mediaPath("output"),
    terminal_frame_path: framePath,
    terminal_frame_media_path: job.mediaPath("terminal-frame"),
    pixel_frame_count: frames,
    width: geometry.width,
    height: geometry.height,
    fps,
    seed: seedRecord(seed),
    chunks: [...job.chunks],
    terminal_world_pose: poseRecord(place.pose),
    scene_memory_mode: memoryMode,
  };
}

/** A seed as it goes over the wire: JSON numbers are exact only up to 2^53 - 1. */
function seedRecord(seed: bigint): number | string {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : String(seed);
}
