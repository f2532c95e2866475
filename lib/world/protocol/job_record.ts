/**
 * A job, with its progress and its receipt.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { CameraMotion } from "./motion_table.ts";
import type { WorldPose } from "./pose.ts";

export type { CameraMotion };

/** One step of progress. */
export interface JobProgress {
  /** `preparing`, `denoising`, `decoding`, `replaying` or `saving`. */
  readonly stage: string;
  /** Steps that are done in the whole job. */
  readonly stepIndex: number;
  /** Steps of the whole job. */
  readonly totalSteps: number;
  /** Completed fraction, 0 to 1. */
  readonly fraction: number;
  /** Time of this step. */
  readonly updatedAt: string;
  /** While a large model is loaded: bytes that have been read. */
  readonly bytesRead?: number;
  /** Bytes of the whole model. */
  readonly bytesTotal?: number;
  /** Seconds until it is loaded at the speed so far. */
  readonly secondsLeft?: number;
}

/** One decoded block, or a part of one, listed as soon as its file can be fetched. */
export interface ChunkRecord {
  /** Index of the block in its job, from 0. */
  readonly blockIndex: number;
  /** Blocks of the job. */
  readonly blockCount: number;
  /** Index of the first frame in the job, from 0. */
  readonly pixelFrameStart: number;
  /** Number of frames. */
  readonly pixelFrameCount: number;
  /** First frame and the one after the last, within the job. */
  readonly pixelFrameRange: readonly [number, number];
  /** RFC 6381 string of the video track, such as `avc1.64000a`. */
  readonly codec: string;
  /** Path of the chunk on the server. */
  readonly mediaPath: string;
  /** File on the server. */
  readonly path: string;
}

/** The receipt of every completed move; pose and scene memory are arworld's. */
export interface MoveReceipt {
  /** Id of the job. */
  readonly requestId: string;
  /** Id of the state where the move began. */
  readonly previousStateId?: string;
  /** Id of the state. */
  readonly stateId: string;
  /** Number of the move since the source image; 0 for the source itself. */
  readonly transitionIndex: number;
  /** File of the whole video. */
  readonly outputPath: string;
  /** Path of the whole video on the server. */
  readonly outputMediaPath: string;
  /** File of the last frame. */
  readonly terminalFramePath: string;
  /** Path of the last frame on the server. */
  readonly terminalFrameMediaPath: string;
  /** Frames of the video. */
  readonly pixelFrameCount: number;
  /** Width of the frames, in pixels. */
  readonly width: number;
  /** Height of the frames, in pixels. */
  readonly height: number;
  /** Frames per second. */
  readonly fps: number;
  /** The seed of the request, or for an actionworld the effective one: a string when it is beyond 2^53 - 1. */
  readonly seed: number | string;
  /** With `_cached_inverse` when nothing was generated. */
  readonly conditioningMode:
    | "causal_camera_latents"
    | "camera_pose_media_reencode"
    | `${"causal_camera_latents" | "camera_pose_media_reencode"}_cached_inverse`;
  /** The chunks, in order. */
  readonly chunks: readonly ChunkRecord[];
  /** Pose of the camera at the end. */
  readonly terminalWorldPose?: WorldPose;
  /** Whether scene memory works. */
  readonly sceneMemoryMode?: "paper_reconstructed_revisit_anchor" | "disabled";
  /** Returns of this move that were drawn towards a stored latent. */
  readonly sceneMemoryRetrievalCount?: number;
  /** Returns of this move whose latent was restored exactly. */
  readonly sceneMemoryRecycledFrameCount?: number;
}

/** A camera move of a transition. */
export interface CameraRecord {
  /** Kind of the move. */
  readonly motion: CameraMotion;
  /** Right, down and forward, in meters. */
  readonly translationMeters: readonly [number, number, number];
  /** About the axes right, down and forward, in degrees. */
  readonly rotationDegrees: readonly [number, number, number];
}

/** The receipt of a completed transition. */
export interface TransitionReceipt extends MoveReceipt {
  /** The camera move. */
  readonly camera: CameraRecord;
  /** Whether the last edge was replayed in reverse instead of generating. */
  readonly replayed: boolean;
  /** What actually ran; absent when nothing was generated. */
  readonly effective?: {
    /** Denoising steps. */
    readonly steps: number;
    /** Strength of classifier-free guidance. */
    readonly guidanceScale: number;
    /** Shift of the noise schedule. */
    readonly shift: number;
    /** New frames. */
    readonly numFrames: number;
    /** Seed of the first block or clip: the request's plus the generation depth. */
    readonly seed: number | string;
    /** The keys of the camera move (arworld); a space for none. */
    readonly action?: string;
  };
  /** For an actionworld: the kind of its actions, reversed in order for a replayed edge. */
  readonly actionSpace?: "normalized_model_space" | "normalized_model_space_reversed";
  /** Domain of the actions. */
  readonly actionDomain?: "camera_pose";
  /** The actions that conditioned the model, nine numbers per frame after the first. */
  readonly modelSpaceActions?: readonly (readonly number[])[];
  /** The same under its older name. */
  readonly rawActions?: readonly (readonly number[])[];
}

/** The receipt of a completed rollout. */
export interface RolloutReceipt extends MoveReceipt {
  /** Keys of each action; a space holds still. */
  readonly actionSeq: readonly string[];
  /** Relative duration of each action. */
  readonly actionSpeedList: readonly number[];
  /** Latent frames of the rollout. */
  readonly latentFrameCount: number;
  /** Speed of the camera: 0.05 units and 1 degree a frame at 1. */
  readonly speed: number;
  /** What actually ran: the seed of the first block, which is the request's plus the generation depth. */
  readonly effective: { readonly seed: number | string };
}

/** A job: its request, progress and result. */
export interface JobRecord {
  /** Id of the job. */
  readonly jobId: string;
  /** What kind it is. */
  readonly kind: "transition" | "rollout";
  /** Where it is in its life; the first three are active. */
  readonly status: "queued" | "generating" | "cancelling" | "completed" | "cancelled" | "failed";
  /** Time of creation, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Time of its start. */
  readonly startedAt?: string;
  /** Time of its end. */
  readonly completedAt?: string;
  /** The latest progress. */
  readonly progress?: JobProgress;
  /** The last 256. */
  readonly progressEvents: readonly JobProgress[];
  /** The chunks, in order. */
  readonly chunks: readonly ChunkRecord[];
  /** Of a completed transition. */
  readonly receipt?: TransitionReceipt;
  /** Of a completed rollout. */
  readonly rolloutReceipt?: RolloutReceipt;
  /** Why it failed. */
  readonly error?: ErrorObject;
}
