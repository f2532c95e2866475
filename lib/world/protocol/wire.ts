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
  /** Kind of this record. */
  readonly object: "world.health";
  /** How it stands. */
  readonly status: "ok";
  /** Kind of the world model. */
  readonly backend: BackendName;
  /** What the session is doing. */
  readonly phase: SessionPhase;
  /** Version of the server. */
  readonly version: string;
}

/** The phase of a session. */
export type SessionPhase = "cold" | "preparing" | "ready" | "generating";

/** A pose: 16 numbers, row-major, of a rigid world-to-camera matrix. */
export interface WorldPose {
  /** The matrix, row by row. */
  readonly world_to_camera: readonly number[];
}

/** A state of the session: its source image or the end of a move. */
export interface StateRecord {
  /** Id of the state. */
  readonly state_id: string;
  /** Id of the state that it was reached from; absent at a root. */
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
  /** Whether scene memory works. */
  readonly mode: "paper_reconstructed_revisit_anchor" | "disabled";
  /** Latents that are stored at most. */
  readonly maximum_frame_count: number;
  /** Minimum number of latents between a stored one and its return. */
  readonly minimum_frame_gap: number;
  /** Largest rotation between a stored latent and the camera. */
  readonly maximum_yaw_distance_degrees: number;
  /** In model-space units. */
  readonly maximum_translation_distance: number;
  /** Largest rotation of an exact revisit. */
  readonly exact_revisit_maximum_yaw_distance_degrees: number;
  /** Largest distance of an exact revisit, in model-space units. */
  readonly exact_revisit_maximum_translation_distance: number;
  /** Weight of a stored latent in an inexact return, 0 to 1. */
  readonly recycling_strength: number;
}

/** The model of a session. */
export interface ModelRecord {
  /** Its id. */
  readonly id: string;
  /** File on the server. */
  readonly path?: string;
  /** Folder of text encoder, autoencoder and tokenizer. */
  readonly base_path?: string;
  /** Where it runs. */
  readonly device: string;
  /** Precision that it runs in. */
  readonly dtype: string;
}

/**
 * The current state of the session; reading it never waits for the model. Optional fields from the latents on belong to
 * arworld.
 */
export interface WorldSnapshot {
  /** Kind of this record. */
  readonly object: "world.session";
  /** Kind of the world model. */
  readonly backend: BackendName;
  /** What the session is doing. */
  readonly phase: SessionPhase;
  /** Id of the session. */
  readonly session_id: string;
  /** Moves made since the source image. */
  readonly transition_count: number;
  /** Id of the current state; absent before there is an image. */
  readonly current_state_id?: string;
  /** The active path, root first. */
  readonly state_ids: readonly string[];
  /** Every known state: the active path, then the states that only checkpoints lead to. */
  readonly states: readonly StateRecord[];
  /** Whether the model stays loaded between moves. */
  readonly keeps_models_warm: boolean;
  /** Whether the next move continues from the latent state of the last one. */
  readonly keeps_terminal_latent: boolean;
  /** What the next move is conditioned on. */
  readonly conditioning_mode: "causal_camera_latents" | "camera_pose_media_reencode";
  /** File of the image that is shown. */
  readonly current_frame_path?: string;
  /** Where the frame can be fetched as a PNG. */
  readonly current_frame_media_path?: string;
  /** The job that runs. */
  readonly active_job?: JobRecord;
  /** The model, or its id. */
  readonly model: ModelRecord;
  /**
   * After a restart or an import: `exact` when the world goes on bit for bit, `picture` when it begins anew from the
   * picture that it showed last.
   */
  readonly continuity?: "exact" | "picture";
  /** Latent frames generated since the source image. */
  readonly generated_latent_frame_count?: number;
  /** Latent frames that the caches hold. */
  readonly retained_latent_frame_count?: number;
  /** Checkpoints of the session. */
  readonly checkpoint_count?: number;
  /** Pose of the camera. */
  readonly current_world_pose?: WorldPose;
  /** Whether scene memory works. */
  readonly scene_memory_mode?: "paper_reconstructed_revisit_anchor" | "disabled";
  /** Rules of scene memory. */
  readonly scene_memory_policy?: SceneMemoryPolicyRecord;
  /** Latents in scene memory. */
  readonly scene_memory_frame_count?: number;
  /** Returns that were drawn towards a stored latent. */
  readonly scene_memory_retrieval_count?: number;
  /** Returns whose latent was restored exactly. */
  readonly scene_memory_recycled_frame_count?: number;
}

/** Where a job is in its life; the first three are active. */
export type JobStatus = "queued" | "generating" | "cancelling" | "completed" | "cancelled" | "failed";

/** One step of progress. */
export interface JobProgress {
  /** `preparing`, `denoising`, `decoding`, `replaying` or `saving`. */
  readonly stage: string;
  /** Steps that are done in the whole job. */
  readonly step_index: number;
  /** Steps of the whole job. */
  readonly total_steps: number;
  /** Completed fraction, 0 to 1. */
  readonly fraction: number;
  /** Time of this step. */
  readonly updated_at: string;
}

/** One decoded block, listed as soon as its file can be fetched. */
export interface ChunkRecord {
  /** Index of the block in its job, from 0. */
  readonly block_index: number;
  /** Blocks of the job. */
  readonly block_count: number;
  /** Index of the first frame in the job, from 0. */
  readonly pixel_frame_start: number;
  /** Number of frames. */
  readonly pixel_frame_count: number;
  /** First frame and the one after the last, within the job. */
  readonly pixel_frame_range: readonly [number, number];
  /** RFC 6381 string of the video track, such as `avc1.64000a`. */
  readonly codec: string;
  /** Path of the chunk on the server. */
  readonly media_path: string;
  /** File on the server. */
  readonly path: string;
}

/** The receipt of every completed move; pose and scene memory are arworld's. */
export interface MoveReceipt {
  /** Id of the job. */
  readonly request_id: string;
  /** Id of the state where the move began. */
  readonly previous_state_id?: string;
  /** Id of the state. */
  readonly state_id: string;
  /** Number of the move since the source image; 0 for the source itself. */
  readonly transition_index: number;
  /** File of the whole video. */
  readonly output_path: string;
  /** Path of the whole video on the server. */
  readonly output_media_path: string;
  /** File of the last frame. */
  readonly terminal_frame_path: string;
  /** Path of the last frame on the server. */
  readonly terminal_frame_media_path: string;
  /** Frames of the video. */
  readonly pixel_frame_count: number;
  /** Width of the frames, in pixels. */
  readonly width: number;
  /** Height of the frames, in pixels. */
  readonly height: number;
  /** Frames per second. */
  readonly fps: number;
  /** The seed of the request, or for an actionworld the effective one: a string when it is beyond 2^53 - 1. */
  readonly seed: number | string;
  /** With `_cached_inverse` when nothing was generated. */
  readonly conditioning_mode:
    | "causal_camera_latents"
    | "camera_pose_media_reencode"
    | `${"causal_camera_latents" | "camera_pose_media_reencode"}_cached_inverse`;
  /** The chunks, in order. */
  readonly chunks: readonly ChunkRecord[];
  /** Pose of the camera at the end. */
  readonly terminal_world_pose?: WorldPose;
  /** Whether scene memory works. */
  readonly scene_memory_mode?: "paper_reconstructed_revisit_anchor" | "disabled";
  /** Returns of this move that were drawn towards a stored latent. */
  readonly scene_memory_retrieval_count?: number;
  /** Returns of this move whose latent was restored exactly. */
  readonly scene_memory_recycled_frame_count?: number;
}

/** A camera move of a transition. */
export interface CameraRecord {
  /** Kind of the move. */
  readonly motion: CameraMotion;
  /** Right, down and forward, in meters. */
  readonly translation_meters: readonly [number, number, number];
  /** About the axes right, down and forward, in degrees. */
  readonly rotation_degrees: readonly [number, number, number];
}

/** The receipt of a completed transition. */
export interface TransitionReceipt extends MoveReceipt {
  /** The camera move. */
  readonly camera: CameraRecord;
  /** Whether the last edge was replayed in reverse instead of generating. */
  readonly replayed: boolean;
  /** What actually ran; absent when nothing was generated. */
  readonly effective?: TransitionEffective;
  /** For an actionworld: the kind of its actions, reversed in order for a replayed edge. */
  readonly action_space?: "normalized_model_space" | "normalized_model_space_reversed";
  /** Domain of the actions. */
  readonly action_domain?: "camera_pose";
  /** The actions that conditioned the model, nine numbers per frame after the first. */
  readonly model_space_actions?: readonly (readonly number[])[];
  /** The same under its older name. */
  readonly raw_actions?: readonly (readonly number[])[];
}

/** What actually ran for a transition. */
export interface TransitionEffective {
  /** Denoising steps. */
  readonly steps: number;
  /** Strength of classifier-free guidance. */
  readonly guidance_scale: number;
  /** Shift of the noise schedule. */
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
  /** Keys of each action; a space holds still. */
  readonly action_seq: readonly string[];
  /** Relative duration of each action. */
  readonly action_speed_list: readonly number[];
  /** Latent frames of the rollout. */
  readonly latent_frame_count: number;
  /** Speed of the camera: 0.05 units and 1 degree a frame at 1. */
  readonly speed: number;
  /** What actually ran: the seed of the first block, which is the request's plus the generation depth. */
  readonly effective: Pick<TransitionEffective, "seed">;
}

/** A job: its request, progress and result. */
export interface JobRecord {
  /** Id of the job. */
  readonly job_id: string;
  /** What kind it is. */
  readonly kind: "transition" | "rollout";
  /** How it stands. */
  readonly status: JobStatus;
  /** Time of creation, ISO 8601 in UTC. */
  readonly created_at: string;
  /** Time of its start. */
  readonly started_at?: string;
  /** Time of its end. */
  readonly completed_at?: string;
  /** The latest progress. */
  readonly progress?: JobProgress;
  /** The last 256. */
  readonly progress_events: readonly JobProgress[];
  /** The chunks, in order. */
  readonly chunks: readonly ChunkRecord[];
  /** Of a completed transition. */
  readonly receipt?: TransitionReceipt;
  /** Of a completed rollout. */
  readonly rollout_receipt?: RolloutReceipt;
  /** Why it failed. */
  readonly error?: ErrorObject;
}

/** Body of `POST /v1/world/session/rollouts`; every field is accepted in camelCase too. */
export interface RolloutRequestBody {
  /** Describes the scene. */
  readonly prompt: string;
  /** Each entry combines the keys `w a s d` (move) and `i j k l` (look); a space alone holds still. */
  readonly action_seq: readonly string[];
  /** Relative durations, one per action; 1 each by default. */
  readonly action_speed_list?: readonly number[];
  /** Path of an image on the server to start a new world from. */
  readonly source_image?: string;
  /** Width of the frames, in pixels. */
  readonly width?: number;
  /** Height of the frames, in pixels. */
  readonly height?: number;
  /** Latent frames: a multiple of 3, at most 252. */
  readonly num_output_frames?: number;
  /** Speed of the camera: 0.05 units and 1 degree a frame at 1. */
  readonly speed?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  /** Frames per second. */
  readonly fps?: number;
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
}

/** Body of `POST /v1/world/session/transitions`; every field is accepted in snake_case and in camelCase. */
export interface TransitionRequestBody {
  /** Describes the scene. */
  readonly prompt: string;
  /** The camera move. */
  readonly camera: CameraRecord;
  /** Path of an image; required while the session has no image. */
  readonly source_image?: string;
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
  /** Width of the frames, in pixels. */
  readonly width?: number;
  /** Height of the frames, in pixels. */
  readonly height?: number;
  /** Minimum number of frames that the move shows; whole blocks of three latents are generated. */
  readonly num_frames?: number;
  /** Denoising steps. */
  readonly steps?: number;
  /** Strength of classifier-free guidance. */
  readonly guidance_scale?: number;
  /** Shift of the noise schedule. */
  readonly shift?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  /** Frames per second. */
  readonly fps?: number;
  /** For an actionworld: the exact trajectory, nine numbers a row, instead of one derived from the camera move. */
  readonly model_space_actions?: readonly (readonly number[])[];
}

/** A checkpoint: a state of the session that can be returned to. */
export interface CheckpointRecord {
  /** Id of the checkpoint. */
  readonly checkpoint_id: string;
  /** Its name. */
  readonly name: string;
  /** Time of creation, ISO 8601 in UTC. */
  readonly created_at: string;
  /** Id of the session. */
  readonly session_id: string;
  /** Id of the state. */
  readonly state_id: string;
  /** Number of the move since the source image; 0 for the source itself. */
  readonly transition_index: number;
  /** Latent frames generated since the source image. */
  readonly generated_latent_frame_count: number;
  /** Latent frames that the caches hold. */
  readonly retained_latent_frame_count: number;
  /** Pose of the camera. */
  readonly current_world_pose: WorldPose;
  /** Latent frames in scene memory. */
  readonly scene_memory_frame_count: number;
  /** Path of its image on the server. */
  readonly frame_media_path: string;
}

/** An event of `GET /v1/world/events`. */
export type WorldEvent =
  | { readonly event: "snapshot"; readonly id: string; readonly data: WorldSnapshot }
  | { readonly event: "job"; readonly id: string; readonly data: JobRecord }
  | { readonly event: "chunk"; readonly id: string; readonly data: ChunkEvent };

/** A chunk that can be fetched now. */
export interface ChunkEvent extends ChunkRecord {
  /** Id of the job. */
  readonly job_id: string;
}

/** Answer of `GET /v1/world/start`: an image that comes with the model, and its prompt. */
export interface WorldStart {
  /** Kind of this record. */
  readonly object: "world.start";
  /** Describes the scene. */
  readonly prompt: string;
  /** Path of the image on the server. */
  readonly image_media_path: string;
}

/** The default start of a walk, which comes with the model. */
export interface WorldStart {
  /** Kind of this record. */
  readonly object: "world.start";
  /** Describes the image. */
  readonly prompt: string;
  /** Path of the image on the server. */
  readonly image_media_path: string;
}
