/**
 * What the wire says of a walk.
 *
 * @module
 */
import * as v from "valibot";
import { cameraSchema } from "./job_schemas.ts";
import type { WalkRecord } from "./walk_record.ts";
import {
  idField,
  mediaPathField,
  poseSchema,
  positiveCountField,
  seedRecordField,
  tripleField,
} from "./wire_fields.ts";
import type { Wire } from "../../json/wire_form.ts";

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
