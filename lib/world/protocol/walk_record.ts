/**
 * The record of the walk: where the camera has been, and the requests that make every move again.
 *
 * @module
 */
import type { BackendName } from "./wire.ts";
import type { WorldPose } from "./pose.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "./requests/request_bodies.ts";

/** The move that led to a state. */
export interface WalkMove {
  /** A move of the camera, or one walked by keys. */
  readonly kind: "transition" | "rollout";
  /** The body of the request that makes the move again; absent when it is longer than 4,096 characters of JSON. */
  readonly request?: TransitionRequestBody | RolloutRequestBody;
  /**
   * Where the camera was on its way, at most 32 positions of right, down and forward of the source image, in the model's
   * own units; the last is the state's own.
   */
  readonly positions: readonly (readonly [number, number, number])[];
}

/** A state with the pose of its camera. */
export interface WalkState {
  /** Id of the state. */
  readonly stateId: string;
  /** Id of the state that it was reached from; absent at a root. */
  readonly parentStateId?: string;
  /** Where the camera is. */
  readonly worldPose: WorldPose;
  /** Absent at a source image. */
  readonly move?: WalkMove;
}

/** Answer of `GET /v1/world/session/walk`. */
export interface WalkRecord {
  /** Kind of this record. */
  readonly object: "world.walk";
  /** Id of the session. */
  readonly sessionId: string;
  /** Kind of the world model. */
  readonly backend: BackendName;
  /** Id of the state where the camera is now; absent before the first image. */
  readonly currentStateId?: string;
  /** Horizontal view angle of the camera in degrees, where the kind of model fixes it. */
  readonly viewAngleDegrees?: number;
  /** Pixels across and down and frames a second of the next transition; absent while the model is missing. */
  readonly frame?: { readonly width: number; readonly height: number; readonly fps: number };
  /** File of the image that the active path started from; absent when the path no longer reaches back to it. */
  readonly sourcePath?: string;
  /** Where the video of the active path is; absent before its first move. */
  readonly videoMediaPath?: string;
  /** The active path, then the states that only checkpoints lead to. */
  readonly states: readonly WalkState[];
}
