/**
 * Schemas of jobs and their results.
 *
 * @module
 */
import * as v from "valibot";
import type {
  CameraRecord,
  ChunkRecord,
  JobProgress,
  JobRecord,
  RolloutReceipt,
  TransitionReceipt,
} from "./job_record.ts";
import { motionsOf } from "./motion_table.ts";
import {
  countField,
  fractionField,
  idField,
  mediaPathField,
  poseSchema,
  positiveCountField,
  seedRecordField,
  timeField,
  tripleField,
} from "./wire_fields.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { Wire } from "../../json/wire_form.ts";

const distance = v.pipe(v.number(), v.gtValue(0));

/** The mode of scene memory. */
export const sceneMemoryModeField: v.GenericSchema<unknown, "paper_reconstructed_revisit_anchor" | "disabled"> = v
  .picklist(["paper_reconstructed_revisit_anchor", "disabled"]);

/** The error object. */
export const errorObjectSchema: v.GenericSchema<unknown, ErrorObject> = v.strictObject({
  message: v.pipe(v.string(), v.description("What was wrong, what was expected, how to continue")),
  type: v.pipe(
    v.picklist([
      "invalid_request_error",
      "authentication_error",
      "permission_error",
      "not_found_error",
      "conflict_error",
      "rate_limit_error",
      "memory_pressure_error",
      "model_unavailable_error",
      "server_error",
    ]),
    v.description("The class of the error"),
  ),
  code: v.pipe(v.string(), v.regex(/^[a-z][a-z_0-9]*$/), v.description("A stable code for the reason")),
  param: v.exactOptional(v.pipe(v.string(), v.description("Path of the invalid field"))),
});

/** One step of progress. */
export const jobProgressSchema: v.GenericSchema<unknown, Wire<JobProgress>> = v.strictObject({
  stage: v.picklist(["preparing", "denoising", "decoding", "replaying", "saving"]),
  step_index: countField,
  total_steps: countField,
  fraction: v.pipe(fractionField, v.description("Completed fraction, 0 to 1")),
  updated_at: timeField,
  bytes_read: v.exactOptional(
    v.pipe(countField, v.description("While a large model is loaded: bytes that have been read")),
  ),
  bytes_total: v.exactOptional(v.pipe(countField, v.description("Bytes of the whole model"))),
  seconds_left: v.exactOptional(
    v.pipe(countField, v.description("Seconds until it is loaded at the speed so far")),
  ),
});

const chunkEntries = {
  block_index: countField,
  block_count: positiveCountField,
  pixel_frame_start: countField,
  pixel_frame_count: positiveCountField,
  pixel_frame_range: v.pipe(
    v.strictTuple([countField, countField]),
    v.description("First frame and the one after the last, within the job"),
  ),
  codec: v.pipe(v.string(), v.description("RFC 6381 string of the video track")),
  media_path: mediaPathField,
  path: v.pipe(v.string(), v.description("The file on the server's machine")),
};

/** One decoded block. */
export const chunkSchema: v.GenericSchema<unknown, Wire<ChunkRecord>> = v.pipe(
  v.strictObject(chunkEntries),
  v.description(
    "A self-contained fragmented MP4 whose timestamps are absolute within the job; listed as soon as it can be fetched",
  ),
);

/** A chunk that can be fetched now. */
export const chunkEventSchema: v.GenericSchema<unknown, Wire<ChunkRecord & { readonly jobId: string }>> = v
  .strictObject({
    job_id: idField,
    ...chunkEntries,
  });

/** A camera move. */
export const cameraSchema: v.GenericSchema<unknown, Wire<CameraRecord>> = v.strictObject({
  motion: v.picklist(motionsOf(true)),
  translation_meters: v.pipe(tripleField, v.description("Right, down and forward")),
  rotation_degrees: v.pipe(tripleField, v.description("About the axes right, down and forward")),
});

const effectiveSchema: v.GenericSchema<unknown, Wire<NonNullable<TransitionReceipt["effective"]>>> = v.strictObject({
  steps: positiveCountField,
  guidance_scale: v.number(),
  shift: v.number(),
  num_frames: positiveCountField,
  seed: seedRecordField,
  action: v.exactOptional(v.pipe(v.string(), v.description("arworld: the keys of the move; a space for none"))),
});

const moveEntries = {
  request_id: idField,
  previous_state_id: v.exactOptional(idField),
  state_id: idField,
  transition_index: positiveCountField,
  output_path: v.string(),
  output_media_path: mediaPathField,
  terminal_frame_path: v.string(),
  terminal_frame_media_path: mediaPathField,
  pixel_frame_count: v.pipe(positiveCountField, v.description("Frames of the video")),
  width: positiveCountField,
  height: positiveCountField,
  fps: positiveCountField,
  seed: seedRecordField,
  conditioning_mode: v.picklist([
    "causal_camera_latents",
    "causal_camera_latents_cached_inverse",
    "camera_pose_media_reencode",
    "camera_pose_media_reencode_cached_inverse",
  ]),
  terminal_world_pose: v.exactOptional(poseSchema),
  scene_memory_mode: v.exactOptional(sceneMemoryModeField),
  scene_memory_retrieval_count: v.exactOptional(countField),
  scene_memory_recycled_frame_count: v.exactOptional(countField),
};

const rows = v.pipe(
  v.array(v.pipe(v.array(v.number()), v.length(9))),
  v.description("actionworld: nine numbers per frame after the first"),
);

/** The receipt of a completed transition. */
export const transitionReceiptSchema: v.GenericSchema<unknown, Wire<TransitionReceipt>> = v.strictObject({
  ...moveEntries,
  chunks: v.array(chunkSchema),
  camera: cameraSchema,
  replayed: v.pipe(v.boolean(), v.description("Whether the last edge was replayed in reverse instead of generating")),
  effective: v.exactOptional(effectiveSchema),
  action_space: v.exactOptional(v.picklist(["normalized_model_space", "normalized_model_space_reversed"])),
  action_domain: v.exactOptional(v.literal("camera_pose")),
  model_space_actions: v.exactOptional(rows),
  raw_actions: v.exactOptional(rows),
});

/** The receipt of a completed rollout. */
export const rolloutReceiptSchema: v.GenericSchema<unknown, Wire<RolloutReceipt>> = v.strictObject({
  ...moveEntries,
  chunks: v.array(chunkSchema),
  action_seq: v.array(v.string()),
  action_speed_list: v.array(distance),
  latent_frame_count: positiveCountField,
  speed: distance,
  effective: v.strictObject({ seed: seedRecordField }),
});

/** A job. */
export const jobSchema: v.GenericSchema<unknown, Wire<JobRecord>> = v.strictObject({
  job_id: idField,
  kind: v.picklist(["transition", "rollout"]),
  status: v.picklist(["queued", "generating", "cancelling", "completed", "cancelled", "failed"]),
  created_at: timeField,
  started_at: v.exactOptional(timeField),
  completed_at: v.exactOptional(timeField),
  progress: v.exactOptional(jobProgressSchema),
  progress_events: v.pipe(v.array(jobProgressSchema), v.maxLength(256)),
  chunks: v.array(chunkSchema),
  receipt: v.exactOptional(transitionReceiptSchema),
  rollout_receipt: v.exactOptional(rolloutReceiptSchema),
  error: v.exactOptional(errorObjectSchema),
});
