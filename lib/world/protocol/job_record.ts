/**
 * A job on the wire, with its progress and its receipt.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { CameraMotion } from "./motion_table.ts";
import type { WorldPose } from "./pose.ts";

export type { CameraMotion };

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
  /** While a large model is loaded: bytes that have been read. */
  readonly bytes_read?: number;
  /** Bytes of the whole model. */
  readonly bytes_total?: number;
  /** Seconds until it is loaded at the speed so far. */
  readonly seconds_left?: number;
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
  /** Its status. */
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
