/**
 * The records of a world session; what is absent is omitted. On the wire they have the names of `wire_form.ts`.
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
  readonly stateId: string;
  /** Id of the state that it was reached from; absent at a root. */
  readonly parentStateId?: string;
  /** Number of the move that led here; 0 for a source image. */
  readonly transitionIndex: number;
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
  readonly maximumFrameCount: number;
  /** Minimum number of latents between a stored one and its return. */
  readonly minimumFrameGap: number;
  /** Largest rotation between a stored latent and the camera. */
  readonly maximumYawDistanceDegrees: number;
  /** In model-space units. */
  readonly maximumTranslationDistance: number;
  /** Largest rotation of an exact revisit. */
  readonly exactRevisitMaximumYawDistanceDegrees: number;
  /** Largest distance of an exact revisit, in model-space units. */
  readonly exactRevisitMaximumTranslationDistance: number;
  /** Weight of a stored latent in an inexact return, 0 to 1. */
  readonly recyclingStrength: number;
}

/** The model of a session. */
export interface ModelRecord {
  /** Its id. */
  readonly id: string;
  /** File on the server. */
  readonly path?: string;
  /** Folder of text encoder, autoencoder and tokenizer. */
  readonly basePath?: string;
  /** Where it runs. */
  readonly device: string;
  /** Precision that it runs in. */
  readonly dtype: string;
  /** What it was made for, such as `corridors`; absent where its `config.json` does not say. */
  readonly madeFor?: string;
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
  readonly sessionId: string;
  /** Moves made since the source image. */
  readonly transitionCount: number;
  /** Id of the current state; absent before there is an image. */
  readonly currentStateId?: string;
  /** The active path, root first. */
  readonly stateIds: readonly string[];
  /** Every known state: the active path, then the states that only checkpoints lead to. */
  readonly states: readonly StateRecord[];
  /** Whether the model stays loaded between moves. */
  readonly keepsModelsWarm: boolean;
  /** Whether the next move continues from the latent state of the last one. */
  readonly keepsTerminalLatent: boolean;
  /** What the next move is conditioned on. */
  readonly conditioningMode: "causal_camera_latents" | "camera_pose_media_reencode";
  /** File of the image that is shown. */
  readonly currentFramePath?: string;
  /** Where the frame can be fetched as a PNG. */
  readonly currentFrameMediaPath?: string;
  /** The job that runs. */
  readonly activeJob?: JobRecord;
  /** The model, or its id. */
  readonly model: ModelRecord;
  /**
   * After a restart or an import: `exact` when the world continues bit for bit, `picture` when it restarts from the
   * picture that it showed last.
   */
  readonly continuity?: "exact" | "picture";
  /**
   * How far the source image is from those that the model was trained on; above 1 the model was not made for its like.
   * Absent until the model is loaded, and where it has no statistics of its latents.
   */
  readonly sourceDistance?: number;
  /** Latent frames generated since the source image. */
  readonly generatedLatentFrameCount?: number;
  /** Latent frames that the caches hold. */
  readonly retainedLatentFrameCount?: number;
  /** Checkpoints of the session. */
  readonly checkpointCount?: number;
  /** Pose of the camera. */
  readonly currentWorldPose?: WorldPose;
  /** Whether scene memory works. */
  readonly sceneMemoryMode?: "paper_reconstructed_revisit_anchor" | "disabled";
  /** Rules of scene memory. */
  readonly sceneMemoryPolicy?: SceneMemoryPolicyRecord;
  /** Latents in scene memory. */
  readonly sceneMemoryFrameCount?: number;
  /** Returns that were drawn towards a stored latent. */
  readonly sceneMemoryRetrievalCount?: number;
  /** Returns whose latent was restored exactly. */
  readonly sceneMemoryRecycledFrameCount?: number;
}

/** A checkpoint: a state of the session that can be returned to. */
export interface CheckpointRecord {
  /** Id of the checkpoint. */
  readonly checkpointId: string;
  /** Its name. */
  readonly name: string;
  /** Time of creation, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Id of the session. */
  readonly sessionId: string;
  /** Id of the state. */
  readonly stateId: string;
  /** Number of the move since the source image; 0 for the source itself. */
  readonly transitionIndex: number;
  /** Latent frames generated since the source image. */
  readonly generatedLatentFrameCount: number;
  /** Latent frames that the caches hold. */
  readonly retainedLatentFrameCount: number;
  /** Pose of the camera. */
  readonly currentWorldPose: WorldPose;
  /** Latent frames in scene memory. */
  readonly sceneMemoryFrameCount: number;
  /** Path of its image on the server. */
  readonly frameMediaPath: string;
}

/** An event of `GET /v1/world/events`. */
export type WorldEvent =
  | { readonly event: "snapshot"; readonly id: string; readonly data: WorldSnapshot }
  | { readonly event: "job"; readonly id: string; readonly data: JobRecord }
  | { readonly event: "chunk"; readonly id: string; readonly data: ChunkRecord & { readonly jobId: string } };

/** Answer of `GET /v1/world/start`: an image that comes with the model, and its prompt. */
export interface WorldStart {
  /** Kind of this record. */
  readonly object: "world.start";
  /** Describes the scene. */
  readonly prompt: string;
  /** Path of the image on the server. */
  readonly imageMediaPath: string;
  /** All places that come with the model, this one first. */
  readonly places: readonly WorldPlace[];
}

/** A place to start at. */
export interface WorldPlace {
  /** Describes the scene. */
  readonly prompt: string;
  /** Path of its image on the server. */
  readonly imageMediaPath: string;
}

/** Answer of `POST /v1/world/session/source/check`: what a world that began with an image would begin with. */
export interface StartCheck {
  /** Kind of this record. */
  readonly object: "world.start_check";
  /** Width of the image, in pixels. */
  readonly width: number;
  /** Height of the image, in pixels. */
  readonly height: number;
  /** What the model was made for; absent where it does not say. */
  readonly madeFor?: string;
  /** As `sourceDistance` of a snapshot; absent while the model is not loaded. */
  readonly distance?: number;
}
