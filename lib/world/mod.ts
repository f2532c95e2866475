/**
 * The world session without HTTP: one chain of generated places, its rollouts and jobs. Clock, files, media and model
 * are given to it.
 *
 * @module
 */
export * from "./backends/actionworld_backend.ts";
export * from "./backends/actionworld_root.ts";
export * from "./backends/arworld_backend.ts";
export type * from "./session/backend.ts";
export * from "./protocol/clip_request.ts";
export * from "./session/edge.ts";
export * from "./session/job.ts";
export * from "./protocol/job_schemas.ts";
export * from "./protocol/model_files.ts";
export * from "./backends/model_roots.ts";
export type * from "./backends/model_start.ts";
export * from "./session/session_state.ts";
export * from "./protocol/pose.ts";
export type * from "./session/revisit_rule.ts";
export * from "./protocol/rollout_plan.ts";
export * from "./protocol/rollout_request.ts";
export type * from "./session/scene.ts";
export * from "./session/scene_memory.ts";
export * from "./protocol/scene_memory_policy.ts";
export * from "./session/session_events.ts";
export type * from "./session/session_options.ts";
export * from "./protocol/transition_plan.ts";
export type { TransitionRequest } from "./protocol/transition_fields.ts";
export * from "./protocol/transition_request.ts";
export * from "./protocol/walk_actions.ts";
export type * from "./protocol/wire.ts";
export * from "./protocol/wire_schemas.ts";
export type * from "./session/world_files.ts";
export * from "./session/world_session.ts";
export type * from "../models/world/clip_model.ts";
export type * from "../models/world/world_model.ts";
