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

/** A file that can be fetched in parts. */
const media = (
  path: string,
  id: string,
  summary: string,
  type: string,
  tag: Operation["tag"],
  errors: Operation["errors"],
): Operation => ({
  method: "get",
  path,
  id,
  tag,
  summary,
  headers: ["Range", "If-Range", "If-None-Match"],
  answers: {
    200: {
      description: "The whole file",
      content: { type },
      headers: ["ETag", "Accept-Ranges", "Content-Length"],
    },
    206: {
      description: "The part that Range asks for",
      content: { type },
      headers: ["ETag", "Accept-Ranges", "Content-Length", "Content-Range"],
    },
    304: {
      description: "The client's copy is current: its ETag is among If-None-Match",
      headers: ["ETag", "Accept-Ranges"],
    },
  },
  errors: { ...errors, 416: ["range_not_satisfiable"] },
});

const jobErrors = { 400: ["invalid_job_id"], 404: ["job_not_found", "job_expired"] };
const mediaErrors = { ...jobErrors, 404: [...jobErrors[404], "media_not_found"], 410: ["media_expired"] };
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

const worldErrors = { 400: ["invalid_world_id"], 404: ["world_not_found"] };

const all: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/worlds",
    id: "worlds",
    tag: "worlds",
    summary: "The worlds of the server, the oldest first",
    answers: { 200: { description: "All of them", content: { schema: "WorldList" } } },
  },
  {
    method: "post",
    path: "/v1/worlds",
    id: "openWorld",
    tag: "worlds",
    summary: "Opens a world",
    description:
      "It is cold and without an image. Its routes are those of this document behind /worlds/{world_id}: the paths in " +
      "its records begin there, Location has the whole path. All worlds share one model, blocks are generated in turn.",
    body: { content: { schema: "WorldRequest" }, required: false },
    answers: {
      201: { description: "The world", content: { schema: "WorldRecord" }, headers: ["Location"] },
    },
    errors: { 409: ["session_closed"], 429: ["too_many_worlds"] },
  },
  {
    method: "get",
    path: "/v1/worlds/{id}",
    id: "world",
    tag: "worlds",
    summary: "One world",
    answers: { 200: { description: "The world", content: { schema: "WorldRecord" } } },
    errors: worldErrors,
  },
  {
    method: "delete",
    path: "/v1/worlds/{id}",
    id: "deleteWorld",
    tag: "worlds",
    summary: "Ends a world",
    description: "What it does is cancelled, its files are removed. The first world of a server cannot be deleted.",
    answers: { 200: { description: "The world as it was", content: { schema: "WorldRecord" } } },
    errors: { ...worldErrors, 409: ["default_world"] },
  },
  ...[
    ["/", "page", "text/html"],
    ["/page.js", "pageScript", "text/javascript"],
    ["/page.css", "pageStyle", "text/css"],
    ["/page.svg", "pageIcon", "image/svg+xml"],
  ]
    .map(([path, id, type]): Operation => ({
      method: "get",
      path,
      id,
      tag: "server",
      summary: "The world page",
      open: true,
      answers: { 200: { description: "A file of the page", content: { type }, headers: ["Content-Security-Policy"] } },
      errors: { 404: ["path_not_found"] },
    })),
  {
    method: "get",
    path: "/health",
    id: "health",
    tag: "server",
    summary: "Whether the server runs and what it does",
    description: "Needs no token, loads nothing and never waits for the model.",
    open: true,
    answers: { 200: { description: "It runs", content: { schema: "WorldHealth" } } },
  },
  {
    method: "get",
    path: "/ready",
    id: "ready",
    tag: "server",
    summary: "Whether load balancers shall send requests here",
    description: "Needs no token. 503 while the server cannot take requests; the body says `ready` in both cases.",
    open: true,
    answers: { 200: { description: "It takes requests", content: { type: "application/json" } } },
  },
  {
    method: "get",
    path: "/metrics",
    id: "metrics",
    tag: "server",
    summary: "Counters and gauges in the text format of Prometheus",
    answers: { 200: { description: "The metrics", content: { type: "text/plain" } } },
  },
  {
    method: "get",
    path: "/openapi.json",
    id: "openapi",
    tag: "server",
    summary: "This document",
    answers: { 200: { description: "An OpenAPI 3.1 document", content: { type: "application/json" } } },
  },
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
    description:
      "Each entry of action_seq composes the keys w a s d (move) and i j k l (look); spaces alone hold still. " +
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
  {
    method: "get",
    path: "/v1/world/jobs/{id}",
    id: "job",
    tag: "jobs",
    summary: "The current state of a job",
    description: "The last 256 finished jobs are kept.",
    answers: { 200: { description: "The job", content: { schema: "JobRecord" } } },
    errors: jobErrors,
  },
  {
    method: "delete",
    path: "/v1/world/jobs/{id}",
    id: "cancelJob",
    tag: "jobs",
    summary: "Cancels a job",
    description: "A finished job is returned unchanged. A cancelled job leaves the session unchanged.",
    answers: { 202: { description: "The job", content: { schema: "JobRecord" } } },
    errors: jobErrors,
  },
  media("/v1/world/jobs/{id}/media/chunks/{index}", "jobChunk", "The video of one block", "video/mp4", "jobs", {
    ...mediaErrors,
    400: ["invalid_job_id", "invalid_chunk_index"],
  }),
  media("/v1/world/jobs/{id}/media/output", "jobOutput", "The whole video", "video/mp4", "jobs", mediaErrors),
  media("/v1/world/jobs/{id}/media/terminal-frame", "jobFrame", "The last frame", "image/png", "jobs", mediaErrors),
  {
    method: "get",
    path: "/v1/world/events",
    id: "events",
    tag: "events",
    summary: "Events of the session, as server-sent events",
    description:
      "Events are snapshot (data: WorldSnapshot), job (data: JobRecord) and chunk (data: ChunkEvent): the lines " +
      "id, event and data, which is JSON in one line, and an empty line. A stream begins with a snapshot; with Last-Event-ID it resumes after that event if the " +
      "server still has it. Data are current at the time of sending. A comment every 15 s keeps the connection alive.",
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "The stream; it ends when the server stops",
        content: { events: { snapshot: "WorldSnapshot", job: "JobRecord", chunk: "ChunkEvent" } },
      },
    },
    errors: { 429: ["too_many_event_streams"] },
  },
  {
    method: "get",
    path: "/v1/world/start",
    id: "start",
    tag: "start",
    summary: "The model's own source image and its prompt",
    answers: { 200: { description: "A start for a walk", content: { schema: "WorldStart" } } },
    errors: { 404: ["start_not_found"] },
  },
  {
    method: "get",
    path: "/v1/world/start/image",
    id: "startImage",
    tag: "start",
    summary: "The model's own source image",
    answers: {
      200: { description: "A PNG", content: { type: "image/png" }, headers: ["Content-Length"] },
    },
    errors: { 404: ["start_not_found"] },
  },
  {
    method: "post",
    path: "/v1/world/start/picture",
    id: "startPicture",
    tag: "start",
    summary: "A picture of a described place, from the best installed image model",
    description: "Upload it as the source to walk on from it. One is made at a time; equal seeds give equal pictures.",
    body: { content: { schema: "PictureRequest" }, required: true },
    answers: {
      200: { description: "A PNG", content: { type: "image/png" }, headers: ["Content-Length"] },
    },
    errors: {
      400: ["context_length_exceeded"],
      404: ["start_not_found"],
      409: ["session_busy"],
      500: ["engine_crashed"],
      503: ["model_unavailable", "memory_pressure"],
    },
  },
];

/** Every operation of a world server. Those that change something can be sent again with the same key. */
export const operations: readonly Operation[] = all.map((operation) => {
  if (operation.method === "get") return operation;
  const { errors = {}, headers = [] } = operation;
  const keyed = {
    400: [...errors[400] ?? [], "invalid_idempotency_key"],
    409: [...errors[409] ?? [], "idempotency_key_reused"],
  };
  return { ...operation, headers: [...headers, "Idempotency-Key"], errors: { ...errors, ...keyed } };
});
