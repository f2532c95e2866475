/**
 * The record of the walk: where the camera has been, and the requests that make every move again.
 *
 * @module
 */
import * as v from "valibot";
import { cameraSchema } from "./job_schemas.ts";
import type { BackendName } from "./wire.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "./requests/request_bodies.ts";
import type { WorldPose } from "./pose.ts";
import {
  idField,
  mediaPathField,
  poseSchema,
  positiveCountField,
  seedRecordField,
  tripleField,
} from "./wire_fields.ts";
import type { Wire } from "../../json/wire_form.ts";

/** A position in the world: right, down and forward of the source image, in the model's own units. */
export type WalkPosition = readonly [number, number, number];

/** The move that led to a state. */
export interface WalkMove {
  readonly kind: "transition" | "rollout";
  /** The body of the request that makes the move again; absent when it is longer than 4,096 characters of JSON. */
  readonly request?: TransitionRequestBody | RolloutRequestBody;
  /** Where the camera was on its way, at most 32 positions; the last is the state's own. */
  readonly positions: readonly WalkPosition[];
}

/** A state with the pose of its camera. */
export interface WalkState {
  readonly stateId: string;
  readonly parentStateId?: string;
  readonly worldPose: WorldPose;
  /** Absent at a source image. */
  readonly move?: WalkMove;
}

/** Size and rate of frames. */
export interface WalkFrame {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Answer of `GET /v1/world/session/walk`. */
export interface WalkRecord {
  readonly object: "world.walk";
  readonly sessionId: string;
  readonly backend: BackendName;
  readonly currentStateId?: string;
  /** Horizontal view angle of the camera in degrees, where the kind of model fixes it. */
  readonly viewAngleDegrees?: number;
  /** Defaults of the next transition; absent while the model is missing. */
  readonly frame?: WalkFrame;
  /** File of the image that the active path started from; absent when the path no longer reaches back to it. */
  readonly sourcePath?: string;
  /** Where the video of the active path is; absent before its first move. */
  readonly videoMediaPath?: string;
  /** The active path, then the states that only checkpoints lead to. */
  readonly states: readonly WalkState[];
}

const shared = {
  prompt: v.string(),
  width: positiveCountField,
  height: positiveCountField,
  fps: positiveCountField,
  seed: seedRecordField,
};

const requestSchema = v.pipe(
  v.union([
    v.strictObject({
      ...shared,
      camera: cameraSchema,
      num_frames: positiveCountField,
      steps: v.exactOptional(positiveCountField),
      guidance_scale: v.exactOptional(v.number()),
      shift: v.exactOptional(v.number()),
      model_space_actions: v.exactOptional(v.array(v.pipe(v.array(v.number()), v.length(9)))),
    }),
    v.strictObject({
      ...shared,
      action_seq: v.array(v.string()),
      action_speed_list: v.array(v.number()),
      num_output_frames: positiveCountField,
      speed: v.number(),
    }),
  ]),
  v.description("The body that makes the move again; absent when it is longer than 4,096 characters"),
);

/** The record of the walk. */
export const walkSchema: v.GenericSchema<unknown, Wire<WalkRecord>> = v.strictObject({
  object: v.literal("world.walk"),
  session_id: idField,
  backend: v.picklist(["arworld", "actionworld"]),
  current_state_id: v.exactOptional(idField),
  view_angle_degrees: v.exactOptional(v.pipe(v.number(), v.description("Horizontal view angle of the camera"))),
  frame: v.exactOptional(
    v.pipe(
      v.strictObject({ width: positiveCountField, height: positiveCountField, fps: positiveCountField }),
      v.description("What the next transition has unless it names others"),
    ),
  ),
  source_path: v.exactOptional(v.pipe(v.string(), v.description("File of the image that the path started from"))),
  video_media_path: v.exactOptional(mediaPathField),
  states: v.array(v.strictObject({
    state_id: idField,
    parent_state_id: v.exactOptional(idField),
    world_pose: poseSchema,
    move: v.exactOptional(v.strictObject({
      kind: v.picklist(["transition", "rollout"]),
      request: v.exactOptional(requestSchema),
      positions: v.pipe(
        v.array(tripleField),
        v.minLength(1),
        v.maxLength(32),
        v.description("Where the camera was on its way: right, down and forward, in the model's own units"),
      ),
    })),
  })),
});
