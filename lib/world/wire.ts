/**
 * The records of a world session as they go over the wire: snake_case, absent optionals left out.
 *
 * @module
 */
import type { ErrorObject } from "./world_error.ts";

/** Answer of `GET /health`. */
export interface WorldHealth {
  readonly object: "world.health";
  readonly status: "ok";
  readonly backend: "arworld";
  readonly phase: SessionPhase;
  readonly version: string;
}

/** What a session is doing. */
export type SessionPhase = "cold" | "preparing" | "ready" | "generating";

/** A pose: 16 numbers, row-major, of a rigid world-to-camera matrix. */
export interface WorldPose {
  readonly world_to_camera: readonly number[];
}

/** One place of the session: its source image or the end of a rollout. */
export interface StateRecord {
  readonly state_id: string;
  readonly parent_state_id?: string;
  /** Number of the rollout that led here; 0 for a source image. */
  readonly transition_index: number;
  /** Rollouts between the root of the path and this state. */
  readonly depth: number;
  /** Whether the session can continue here without generating again. */
  readonly retained: boolean;
}

/** The model of a session. */
export interface ModelRecord {
  readonly id: string;
  readonly path?: string;
  readonly base_path?: string;
  readonly device: string;
  readonly dtype: string;
}

/** The session at this moment; reading it never waits for the model. */
export interface WorldSnapshot {
  readonly object: "world.session";
  readonly backend: "arworld";
  readonly phase: SessionPhase;
  readonly session_id: string;
  readonly transition_count: number;
  readonly current_state_id?: string;
  /** The active path, root first. */
  readonly state_ids: readonly string[];
  readonly states: readonly StateRecord[];
  readonly keeps_models_warm: boolean;
  readonly keeps_terminal_latent: boolean;
  readonly conditioning_mode: "causal_camera_latents";
  readonly current_frame_path?: string;
  /** Where the frame can be fetched; absent for a source image. */
  readonly current_frame_media_path?: string;
  readonly active_job?: JobRecord;
  readonly model: ModelRecord;
  readonly generated_latent_frame_count: number;
  readonly retained_latent_frame_count: number;
  readonly current_world_pose: WorldPose;
}

/** Where a job is in its life; the first three are active. */
export type JobStatus = "queued" | "generating" | "cancelling" | "completed" | "cancelled" | "failed";

/** One step of progress. */
export interface JobProgress {
  /** `preparing`, `denoising`, `decoding` or `saving`. */
  readonly stage: string;
  readonly step_index: number;
  readonly total_steps: number;
  /** Done so far, 0 to 1. */
  readonly fraction: number;
  readonly updated_at: string;
}

/** One decoded block, listed as soon as its file can be fetched. */
export interface ChunkRecord {
  readonly block_index: number;
  readonly block_count: number;
  readonly pixel_frame_start: number;
  readonly pixel_frame_count: number;
  /** First frame and the one after the last, counted within the job. */
  readonly pixel_frame_range: readonly [number, number];
  /** RFC 6381 string of the video track, such as `avc1.64000a`. */
  readonly codec: string;
  readonly media_path: string;
  readonly path: string;
}

/** What a completed rollout has made. */
export interface RolloutReceipt {
  readonly request_id: string;
  readonly previous_state_id?: string;
  readonly state_id: string;
  readonly transition_index: number;
  readonly output_path: string;
  readonly output_media_path: string;
  readonly terminal_frame_path: string;
  readonly terminal_frame_media_path: string;
  readonly action_seq: readonly string[];
  readonly action_speed_list: readonly number[];
  readonly latent_frame_count: number;
  readonly pixel_frame_count: number;
  readonly width: number;
  readonly height: number;
  readonly speed: number;
  readonly fps: number;
  /** The seed of the request: a string when it is beyond 2^53 - 1. */
  readonly seed: number | string;
  readonly conditioning_mode: "causal_camera_latents";
  readonly chunks: readonly ChunkRecord[];
  readonly terminal_world_pose: WorldPose;
}

/** A job: what was asked for, how far it is and what came of it. */
export interface JobRecord {
  readonly job_id: string;
  readonly kind: "rollout";
  readonly status: JobStatus;
  readonly created_at: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly progress?: JobProgress;
  /** The last 256. */
  readonly progress_events: readonly JobProgress[];
  readonly chunks: readonly ChunkRecord[];
  readonly rollout_receipt?: RolloutReceipt;
  readonly error?: ErrorObject;
}

/** Body of `POST /v1/world/session/rollouts`; every field is accepted in camelCase too. */
export interface RolloutRequestBody {
  readonly prompt: string;
  /** Each entry composes the keys `w a s d` (move) and `i j k l` (look); spaces alone hold still. */
  readonly action_seq: readonly string[];
  /** Relative durations, one for each action; 1 each when left out. */
  readonly action_speed_list?: readonly number[];
  readonly source_image?: string;
  readonly width?: number;
  readonly height?: number;
  /** Latent frames: a multiple of 3, at most 252. */
  readonly num_output_frames?: number;
  readonly speed?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  readonly fps?: number;
  /** Where to put the MP4 instead of the state directory. */
  readonly output?: string;
}
