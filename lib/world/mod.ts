/**
 * The world session without HTTP: one chain of generated places, its rollouts and jobs. Clock, files, media and model
 * are given to it.
 *
 * @module
 */
export * from "./actionworld_backend.ts";
export * from "./actionworld_root.ts";
export * from "./arworld_backend.ts";
export type * from "./backend.ts";
export * from "./clip_request.ts";
export * from "./edge.ts";
export * from "./job.ts";
export * from "./job_schemas.ts";
export * from "./model_files.ts";
export * from "./model_roots.ts";
export type * from "./model_start.ts";
export * from "./place.ts";
export * from "./pose.ts";
export type * from "./revisit_rule.ts";
export * from "./rollout_plan.ts";
export * from "./rollout_request.ts";
export type * from "./scene.ts";
export * from "./scene_memory.ts";
export * from "./scene_memory_policy.ts";
export * from "./session_events.ts";
export type * from "./session_options.ts";
export * from "./transition_plan.ts";
export type { TransitionRequest } from "./transition_fields.ts";
export * from "./transition_request.ts";
export * from "./walk_actions.ts";
export type * from "./wire.ts";
export * from "./wire_schemas.ts";
export * from "./world_error.ts";
export type * from "./world_files.ts";
export * from "./world_session.ts";
export type * from "../models/clip_model.ts";
export type * from "../models/world_model.ts";
