/**
 * The records of a world session on the wire: snake_case, absent optionals omitted.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { CameraMotion } from "../../models/world/camera_motion.ts";

export type { CameraMotion };

/** The kinds of world model. */
export type BackendName = "arworld" | "actionworld";

/** Answer of `GET /health`. */
export interface WorldHealth {
  readonly object: "world.health";
  readonly status: "ok";
  readonly backend: BackendName;
  readonly phase: SessionPhase;
  readonly version: string;
}

/** The phase of a session. */
export type SessionPhase = "cold" | "preparing" | "ready" | "generating";

/** A pose: 16 numbers, row-major, of a rigid world-to-camera matrix. */
export interface WorldPose {
  readonly world_to_camera: readonly number[];
}

/** A state of the session: its source image or the end of a move. */
export interface StateRecord {
  readonly state_id: string;
  readonly parent_state_id?: string;
  /** Number of the move that led here; 0 for a source image. */
  readonly transition_index: number;
  /** Edges between the root of the path and this state. */
  readonly depth: number;
  /** Whether the session can return here without generating: by exact inverse moves, or by a checkpoint. */
  readonly retained: boolean;
}

/** The scene memory policy; all numbers are 0 when the mode is `disabled`. */
export interface SceneMemoryPolicyRecord {
  readonly mode: SceneMemoryMode;
  /** Maximum number of stored latents. */
  readonly maximum_frame_count: number;
  /** Minimum number of latents between a stored one and its return. */
  readonly minimum_frame_gap: number;
  readonly maximum_yaw_distance_degrees: number;
  /** In model-space units. */
  readonly maximum_translation_distance: number;
  readonly exact_revisit_maximum_yaw_distance_degrees: number;
  readonly exact_revisit_maximum_translation_distance: number;
  /** Weight of a stored latent in an inexact return, 0 to 1. */
  readonly recycling_strength: number;
}

/** The mode of scene memory. */
export type SceneMemoryMode = "paper_reconstructed_revisit_anchor" | "disabled";

/** The model of a session. */
export interface ModelRecord {
  readonly id: string;
  readonly path?: string;
  readonly base_path?: string;
  readonly device: string;
  readonly dtype: string;
}

/**
 * The current state of the session; reading it never waits for the model. Optional fields from the latents on belong to
 * arworld.
 */
export interface WorldSnapshot {
  readonly object: "world.session";
  readonly backend: BackendName;
  readonly phase: SessionPhase;
  readonly session_id: string;
  readonly transition_count: number;
  readonly current_state_id?: string;
  /** The active path, root first. */
  readonly state_ids: readonly string[];
  /** Every known state: the active path, then the states that only checkpoints lead to. */
  readonly states: readonly StateRecord[];
  readonly keeps_models_warm: boolean;
  readonly keeps_terminal_latent: boolean;
  readonly conditioning_mode: ConditioningMode;
  readonly current_frame_path?: string;
  /** Where the frame can be fetched as a PNG. */
  readonly current_frame_media_path?: string;
  readonly active_job?: JobRecord;
  readonly model: ModelRecord;
  readonly generated_latent_frame_count?: number;
  readonly retained_latent_frame_count?: number;
  readonly checkpoint_count?: number;
  readonly current_world_pose?: WorldPose;
  readonly scene_memory_mode?: SceneMemoryMode;
  readonly scene_memory_policy?: SceneMemoryPolicyRecord;
  /** Latents in scene memory. */
  readonly scene_memory_frame_count?: number;
  /** Returns that were drawn towards a stored latent. */
  readonly scene_memory_retrieval_count?: number;
  /** Returns whose latent was restored exactly. */
  readonly scene_memory_recycled_frame_count?: number;
}

/** What generated frames are conditioned on: cached latents (arworld) or the last frame (actionworld). */
export type ConditioningMode = "causal_camera_latents" | "camera_pose_media_reencode";

/** The status of a job; the first three are active. */
export type JobStatus = "queued" | "generating" | "cancelling" | "completed" | "cancelled" | "failed";

/** One step of progress. */
export interface JobProgress {
  /** `preparing`, `denoising`, `decoding`, `replaying` or `saving`. */
  readonly stage: string;
  readonly step_index: number;
  readonly total_steps: number;
  /** Completed fraction, 0 to 1. */
  readonly fraction: number;
  readonly updated_at: string;
}

/** One decoded block, listed as soon as its file can be fetched. */
export interface ChunkRecord {
  readonly block_index: number;
  readonly block_count: number;
  readonly pixel_frame_start: number;
  readonly pixel_frame_count: number;
  /** First frame and the one after the last, within the job. */
  readonly pixel_frame_range: readonly [number, number];
  /** RFC 6381 string of the video track, such as `avc1.64000a`. */
  readonly codec: string;
  readonly media_path: string;
  readonly path: string;
}

/** The receipt of every completed move; pose and scene memory are arworld's. */
export interface MoveReceipt {
  readonly request_id: string;
  readonly previous_state_id?: string;
  readonly state_id: string;
  readonly transition_index: number;
  readonly output_path: string;
  readonly output_media_path: string;
  readonly terminal_frame_path: string;
  readonly terminal_frame_media_path: string;
  /** Frames of the video. */
  readonly pixel_frame_count: number;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** The seed of the request, or for an actionworld the effective one: a string when it is beyond 2^53 - 1. */
  readonly seed: number | string;
  /** With `_cached_inverse` when nothing was generated. */
  readonly conditioning_mode: ConditioningMode | `${ConditioningMode}_cached_inverse`;
  readonly chunks: readonly ChunkRecord[];
  readonly terminal_world_pose?: WorldPose;
  readonly scene_memory_mode?: SceneMemoryMode;
  /** Returns of this move that were drawn towards a stored latent. */
  readonly scene_memory_retrieval_count?: number;
  /** Returns of this move whose latent was restored exactly. */
  readonly scene_memory_recycled_frame_count?: number;
}

/** A camera move of a transition. */
export interface CameraRecord {
  readonly motion: CameraMotion;
  /** Right, down and forward, in meters. */
  readonly translation_meters: readonly [number, number, number];
  /** About the axes right, down and forward, in degrees. */
  readonly rotation_degrees: readonly [number, number, number];
}

/** The receipt of a completed transition. */
export interface TransitionReceipt extends MoveReceipt {
  readonly camera: CameraRecord;
  /** Whether the last edge was replayed in reverse instead of generating. */
  readonly replayed: boolean;
  /** What actually ran; absent when nothing was generated. */
  readonly effective?: TransitionEffective;
  /** For an actionworld: the kind of its actions, reversed in order for a replayed edge. */
  readonly action_space?: "normalized_model_space" | "normalized_model_space_reversed";
  readonly action_domain?: "camera_pose";
  /** The actions that conditioned the model, nine numbers per frame after the first. */
  readonly model_space_actions?: readonly (readonly number[])[];
  /** The same under its older name. */
  readonly raw_actions?: readonly (readonly number[])[];
}

/** What actually ran for a transition. */
export interface TransitionEffective {
  readonly steps: number;
  readonly guidance_scale: number;
  readonly shift: number;
  /** New frames. */
  readonly num_frames: number;
  /** Seed of the first block or clip: the request's plus the generation depth. */
  readonly seed: number | string;
  /** The keys of the camera move (arworld); a space for none. */
  readonly action?: string;
}

/** The receipt of a completed rollout. */
export interface RolloutReceipt extends MoveReceipt {
  readonly action_seq: readonly string[];
  readonly action_speed_list: readonly number[];
  readonly latent_frame_count: number;
  readonly speed: number;
}

/** A job: its request, progress and result. */
export interface JobRecord {
  readonly job_id: string;
  readonly kind: "transition" | "rollout";
  readonly status: JobStatus;
  readonly created_at: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly progress?: JobProgress;
  /** The last 256. */
  readonly progress_events: readonly JobProgress[];
  readonly chunks: readonly ChunkRecord[];
  /** Of a completed transition. */
  readonly receipt?: TransitionReceipt;
  /** Of a completed rollout. */
  readonly rollout_receipt?: RolloutReceipt;
  readonly error?: ErrorObject;
}

/** Body of `POST /v1/world/session/rollouts`; every field is accepted in camelCase too. */
export interface RolloutRequestBody {
  readonly prompt: string;
  /** Each entry combines the keys `w a s d` (move) and `i j k l` (look); a space alone holds still. */
  readonly action_seq: readonly string[];
  /** Relative durations, one per action; 1 each by default. */
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
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
}

/** Body of `POST /v1/world/session/transitions`; every field is accepted in snake_case and in camelCase. */
export interface TransitionRequestBody {
  readonly prompt: string;
  readonly camera: CameraRecord;
  /** Path of an image; required while the session has no image. */
  readonly source_image?: string;
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
  readonly width?: number;
  readonly height?: number;
  /** Minimum number of frames that the move shows; whole blocks of three latents are generated. */
  readonly num_frames?: number;
  readonly steps?: number;
  readonly guidance_scale?: number;
  readonly shift?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  readonly fps?: number;
  /** For an actionworld: the exact trajectory, nine numbers a row, instead of one derived from the camera move. */
  readonly model_space_actions?: readonly (readonly number[])[];
}

/** A checkpoint: a state of the session that can be returned to. */
export interface CheckpointRecord {
  readonly checkpoint_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly session_id: string;
  readonly state_id: string;
  readonly transition_index: number;
  readonly generated_latent_frame_count: number;
  readonly retained_latent_frame_count: number;
  readonly current_world_pose: WorldPose;
  readonly scene_memory_frame_count: number;
  readonly frame_media_path: string;
}

/** An event of `GET /v1/world/events`. */
export type WorldEvent =
  | { readonly event: "snapshot"; readonly id: string; readonly data: WorldSnapshot }
  | { readonly event: "job"; readonly id: string; readonly data: JobRecord }
  | { readonly event: "chunk"; readonly id: string; readonly data: ChunkEvent };

/** A chunk that can be fetched now. */
export interface ChunkEvent extends ChunkRecord {
  readonly job_id: string;
}

/** Answer of `GET /v1/world/start`: an image that comes with the model, and its prompt. */
export interface WorldStart {
  readonly object: "world.start";
  readonly prompt: string;
  readonly image_media_path: string;
}

/** The default start of a walk, which comes with the model. */
export interface WorldStart {
  readonly object: "world.start";
  /** Describes the image. */
  readonly prompt: string;
  readonly image_media_path: string;
}
