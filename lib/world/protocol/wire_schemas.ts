/**
 * Schemas of the wire records, checked against their interfaces by their types. The API description is generated from
 * them, and clients may validate answers with them.
 *
 * @module
 */
import * as v from "valibot";
import { jobSchema, sceneMemoryModeField } from "./job_schemas.ts";
import type {
  CheckpointRecord,
  ModelRecord,
  SceneMemoryPolicyRecord,
  StartCheck,
  StateRecord,
  WorldHealth,
  WorldSnapshot,
  WorldStart,
} from "./wire.ts";
import {
  countField,
  distanceField,
  fractionField,
  idField,
  mediaPathField,
  poseSchema,
  timeField,
} from "./wire_fields.ts";
import type { Wire } from "../../json/wire_form.ts";

const phase = v.pipe(
  v.picklist(["cold", "preparing", "ready", "generating"]),
  v.description("The phase of the session"),
);

const backend = v.pipe(v.picklist(["arworld", "actionworld"]), v.description("The kind of world model"));
const ofArworld = "arworld only";
const farther =
  "How far the image is from those that the model was trained on: above 1 the model was not made for its like";

/** Answer of `GET /health`. */
export const healthSchema: v.GenericSchema<unknown, Wire<WorldHealth>> = v.strictObject({
  object: v.literal("world.health"),
  status: v.literal("ok"),
  backend,
  phase,
  version: v.string(),
});

/** A state of the session. */
export const stateSchema: v.GenericSchema<unknown, Wire<StateRecord>> = v.strictObject({
  state_id: idField,
  parent_state_id: v.exactOptional(idField),
  transition_index: v.pipe(countField, v.description("Number of the move that led here; 0 for a source image")),
  depth: v.pipe(countField, v.description("Edges between the root of the path and this state")),
  retained: v.pipe(v.boolean(), v.description("Whether the session can return here without generating")),
});

/** The scene memory policy. */
export const sceneMemoryPolicySchema: v.GenericSchema<unknown, Wire<SceneMemoryPolicyRecord>> = v.strictObject({
  mode: sceneMemoryModeField,
  maximum_frame_count: countField,
  minimum_frame_gap: countField,
  maximum_yaw_distance_degrees: distanceField,
  maximum_translation_distance: distanceField,
  exact_revisit_maximum_yaw_distance_degrees: distanceField,
  exact_revisit_maximum_translation_distance: distanceField,
  recycling_strength: fractionField,
});

/** The model of a session. */
export const modelRecordSchema: v.GenericSchema<unknown, Wire<ModelRecord>> = v.strictObject({
  id: v.string(),
  path: v.exactOptional(v.string()),
  base_path: v.exactOptional(v.string()),
  device: v.string(),
  dtype: v.string(),
  made_for: v.exactOptional(v.pipe(v.string(), v.description("What it was made for, such as corridors"))),
});

/** The session at one moment. */
export const snapshotSchema: v.GenericSchema<unknown, Wire<WorldSnapshot>> = v.strictObject({
  object: v.literal("world.session"),
  backend,
  phase,
  session_id: idField,
  transition_count: countField,
  current_state_id: v.exactOptional(idField),
  state_ids: v.pipe(v.array(idField), v.description("The active path, root first")),
  states: v.pipe(v.array(stateSchema), v.description("The active path, then the states that only checkpoints lead to")),
  keeps_models_warm: v.boolean(),
  keeps_terminal_latent: v.boolean(),
  conditioning_mode: v.picklist(["causal_camera_latents", "camera_pose_media_reencode"]),
  current_frame_path: v.exactOptional(v.string()),
  current_frame_media_path: v.exactOptional(mediaPathField),
  active_job: v.exactOptional(jobSchema),
  model: modelRecordSchema,
  continuity: v.exactOptional(v.pipe(
    v.picklist(["exact", "picture"]),
    v.description("After a restart or an import: whether the world continues bit for bit, or from its last picture"),
  )),
  source_distance: v.exactOptional(v.pipe(distanceField, v.description(farther))),
  generated_latent_frame_count: v.exactOptional(v.pipe(countField, v.description(ofArworld))),
  retained_latent_frame_count: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3))),
  checkpoint_count: v.exactOptional(v.pipe(countField, v.description(ofArworld))),
  current_world_pose: v.exactOptional(poseSchema),
  scene_memory_mode: v.exactOptional(sceneMemoryModeField),
  scene_memory_policy: v.exactOptional(sceneMemoryPolicySchema),
  scene_memory_frame_count: v.exactOptional(v.pipe(countField, v.description("Latents in scene memory"))),
  scene_memory_retrieval_count: v.exactOptional(
    v.pipe(countField, v.description("Returns drawn towards a stored latent")),
  ),
  scene_memory_recycled_frame_count: v.exactOptional(
    v.pipe(countField, v.description("Returns whose latent was restored exactly")),
  ),
});

/** A checkpoint. */
export const checkpointSchema: v.GenericSchema<unknown, Wire<CheckpointRecord>> = v.strictObject({
  checkpoint_id: idField,
  name: v.pipe(v.string(), v.metadata({ minLength: 1, maxLength: 200 })), // counted in code points
  created_at: timeField,
  session_id: idField,
  state_id: idField,
  transition_index: countField,
  generated_latent_frame_count: countField,
  retained_latent_frame_count: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(3)),
  current_world_pose: poseSchema,
  scene_memory_frame_count: countField,
  frame_media_path: mediaPathField,
});

/** Answer of `GET /v1/world/start`. */
export const startSchema: v.GenericSchema<unknown, Wire<WorldStart>> = v.strictObject({
  object: v.literal("world.start"),
  prompt: v.string(),
  image_media_path: mediaPathField,
  places: v.pipe(
    v.array(v.strictObject({ prompt: v.string(), image_media_path: mediaPathField })),
    v.description("All places that come with the model, this one first"),
  ),
});

/** Answer of `POST /v1/world/session/source/check`. */
export const startCheckSchema: v.GenericSchema<unknown, Wire<StartCheck>> = v.strictObject({
  object: v.literal("world.start_check"),
  width: v.pipe(v.number(), v.integer(), v.minValue(1)),
  height: v.pipe(v.number(), v.integer(), v.minValue(1)),
  made_for: v.exactOptional(v.pipe(v.string(), v.description("What the model was made for, such as corridors"))),
  distance: v.exactOptional(v.pipe(distanceField, v.description(farther))),
});
