/**
 * The records of a world session on the wire: snake_case, absent optionals omitted.
 *
 * @module
 */
import type { ChunkRecord, JobRecord } from "./job_record.ts";
import type { WorldPose } from "./pose.ts";

/** The kinds of world model. */
export type BackendName = "arworld" | "actionworld";

/** Answer of `GET /health`. */
export interface WorldHealth {
  /** Kind of this record. */
  readonly object: "world.health";
  /** Its status. */
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
   * After a restart or an import: `exact` when the world continues bit for bit, `picture` when it restarts from the
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
