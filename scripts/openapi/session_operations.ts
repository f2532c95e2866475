import { KEY_MOTIONS, motionKeys } from "../../lib/world/protocol/motion_table.ts";
import { media } from "./media_operation.ts";
import type { Answer, Operation } from "./operation.ts";

const snapshot = (description: string): Answer => ({ description, content: { schema: "WorldSnapshot" } });
const accepted: Answer = {
  description: "The accepted job; poll it at its Location",
  content: { schema: "JobRecord" },
  headers: ["Location"],
};

const unchanging = ["session_busy", "session_closed"];
const loading = ["model_unavailable", "model_invalid", "model_invalid_config", "model_device_unavailable"];
const gone = ["model_worker_died", "device_lost"];
const writing = ["disk_full", "write_failed"];
const picture = ["image_unsupported", "image_too_large", "image_damaged"];

const lockErrors = {
  400: ["invalid_checkpoint_id", "unsupported_for_backend"],
  404: ["checkpoint_not_found"],
  409: ["session_cold"],
};
const move = {
  400: [
    ...picture,
    "source_required",
    "size_exceeds_memory",
    "unsupported_for_backend",
    "image_not_found",
    "output_folder_missing",
  ],
  403: ["path_not_allowed"],
  409: [...unchanging, "geometry_changed", "output_exists"],
  503: loading,
};

/** The keys of rollouts, which only an arworld has, and what they do. */
const keys = motionKeys(false).map((key) => `${key} (${KEY_MOTIONS.get(key)!.label.toLowerCase()})`).join(", ");

/** The operations of a session: what it is, its moves, its video and its checkpoints. */
export const sessionOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/world/session",
    id: "session",
    tag: "session",
    summary: "The current session",
    description: "Never waits for the model.",
    answers: { 200: snapshot("The session") },
  },
  {
    method: "post",
    path: "/v1/world/session/prepare",
    id: "prepare",
    noFields: true,
    tag: "session",
    summary: "Loads and warms the model",
    description: "A session that is ready answers at once. Without this call the first move prepares.",
    answers: { 200: snapshot("The session, ready") },
    errors: {
      400: ["size_exceeds_memory"],
      409: unchanging,
      500: gone,
      503: [...loading, "server_stopping", "memory_pressure"],
    },
  },
  {
    method: "post",
    path: "/v1/world/session/source",
    id: "uploadSource",
    tag: "session",
    summary: "Makes a picture the origin of a new world",
    description: "PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF, known by its content; at most 32 MiB and 40 megapixels. " +
      "Deletes all checkpoints.",
    body: { content: { type: "image/*" }, required: true },
    answers: { 200: snapshot("The session at its new origin") },
    errors: {
      400: ["empty_body", "incomplete_body", ...picture],
      409: unchanging,
      413: ["body_too_large"],
      415: ["unsupported_content_type"],
      500: [...gone, ...writing],
    },
  },
  {
    method: "post",
    path: "/v1/world/session/source/check",
    id: "checkSource",
    tag: "session",
    summary: "Looks at a picture before it becomes an origin",
    description:
      "Says whether it can be decoded, what the model was made for, and, once that is loaded, how far the picture " +
      "is from that. Changes nothing.",
    body: { content: { type: "image/*" }, required: true },
    answers: { 200: { description: "What the world would begin with", content: { schema: "StartCheck" } } },
    errors: {
      400: ["empty_body", "incomplete_body", ...picture],
      413: ["body_too_large"],
      415: ["unsupported_content_type"],
    },
  },
  {
    method: "post",
    path: "/v1/world/session/transitions",
    id: "startTransition",
    tag: "moves",
    summary: "Starts a camera move",
    description:
      "An arworld generates whole blocks of three latents: the fewest whose new frames reach num_frames (9 frames for the " +
      "first block of a world, 12 for every other). An actionworld generates num_frames frames, which is 4n + 1, and takes " +
      "model_space_actions. Defaults: num_frames 17; width, height and fps the model's own, else 512, 320 and " +
      "24 (actionworld: 320, 176 and 30); steps 40 (30), guidance_scale 5 (1), shift 5 (3), seed 42 (0). A " +
      "continued world keeps its size. The exact inverse of the last edge is replayed, not generated: opposite motion, " +
      "components that sum to 0.",
    body: { content: { schema: "TransitionRequest" }, required: true },
    answers: { 202: accepted },
    errors: move,
  },
  {
    method: "post",
    path: "/v1/world/session/rollouts",
    id: "startRollout",
    tag: "moves",
    summary: "Starts a walk by keys",
    description: `Each entry of action_seq composes keys: ${keys}; spaces alone hold still. ` +
      "action_speed_list has one relative duration for each, 1 by default. width, height and fps default to the " +
      "model's own, else 1280, 704 and 16; a continued world keeps its size.",
    body: { content: { schema: "RolloutRequest" }, required: true },
    answers: { 202: accepted },
    errors: move,
  },
  {
    method: "post",
    path: "/v1/world/session/reset",
    id: "reset",
    tag: "session",
    summary: "Resets the world",
    description: "May name an image for a new world. Deletes all checkpoints.",
    body: { content: { schema: "ResetRequest" }, required: false },
    answers: { 200: snapshot("The session without a world, or at its new origin") },
    errors: {
      400: [...picture, "image_not_found"],
      403: ["path_not_allowed"],
      409: unchanging,
      500: [...gone, ...writing],
    },
  },
  {
    method: "post",
    path: "/v1/world/session/unload",
    id: "unload",
    noFields: true,
    tag: "session",
    summary: "Releases the model",
    description: "The current picture stays, as the origin of a new world. Deletes all checkpoints.",
    answers: { 200: snapshot("The session, cold") },
    errors: { 409: unchanging, 500: gone },
  },
  media("/v1/world/session/media/frame", "sessionFrame", "The current picture of the session", "image/png", "session", {
    404: ["media_not_found"],
  }),
  {
    method: "get",
    path: "/v1/world/session/walk",
    id: "walk",
    tag: "session",
    summary: "Where the camera has been, and the requests that make every move again",
    description:
      "The states of the session with their poses, as a map needs them; the requests of the active path, made in their " +
      "order in a new world from the same image with the same model, make the same pictures. Never waits for the model.",
    answers: { 200: { description: "The walk", content: { schema: "WalkRecord" } } },
  },
  media(
    "/v1/world/session/walk/media/output",
    "walkOutput",
    "The video of the active path, from its first move to its last",
    "video/mp4",
    "session",
    { 404: ["media_not_found"], 409: ["walk_too_large"], 410: ["media_expired"], 500: writing },
  ),
  {
    method: "get",
    path: "/v1/world/session/checkpoints",
    id: "checkpoints",
    tag: "checkpoints",
    summary: "The checkpoints of the session, oldest first",
    answers: { 200: { description: "All of them", content: { array: "CheckpointRecord" } } },
    errors: { 400: ["unsupported_for_backend"], 409: ["session_cold"] },
  },
  {
    method: "post",
    path: "/v1/world/session/checkpoints",
    id: "createCheckpoint",
    tag: "checkpoints",
    summary: "Creates a checkpoint of the session",
    description:
      "A checkpoint keeps the model's state, the pose, scene memory and the frame. Reset, unload and a new source " +
      "delete all checkpoints.",
    body: { content: { schema: "CheckpointRequest" }, required: true },
    answers: { 201: { description: "The checkpoint", content: { schema: "CheckpointRecord" } } },
    errors: {
      400: ["unsupported_for_backend"],
      409: [...unchanging, "session_cold", "no_current_state", "too_many_checkpoints"],
      500: [...gone, ...writing],
    },
  },
  {
    method: "post",
    path: "/v1/world/session/checkpoints/{id}/restore",
    id: "restoreCheckpoint",
    noFields: true,
    tag: "checkpoints",
    summary: "Restores a checkpoint",
    description: "The next moves generate exactly what they would have generated when it was created.",
    answers: { 200: snapshot("The session in the restored state") },
    errors: { ...lockErrors, 409: [...unchanging, "session_cold"], 500: [...gone, ...writing] },
  },
  {
    method: "delete",
    path: "/v1/world/session/checkpoints/{id}",
    id: "deleteCheckpoint",
    tag: "checkpoints",
    summary: "Deletes a checkpoint",
    answers: { 200: { description: "The deleted checkpoint", content: { schema: "CheckpointRecord" } } },
    errors: { ...lockErrors, 409: [...unchanging, "session_cold"], 500: gone },
  },
  media(
    "/v1/world/session/checkpoints/{id}/media/frame",
    "checkpointFrame",
    "The picture of a checkpoint",
    "image/png",
    "checkpoints",
    { ...lockErrors, 404: [...lockErrors[404], "media_not_found"] },
  ),
];
