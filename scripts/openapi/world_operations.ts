import { media } from "./media_operation.ts";
import type { Operation } from "./operation.ts";
import { documentOperation, readyOperation } from "./server_operations.ts";
import { sessionOperations } from "./session_operations.ts";

const jobErrors = { 400: ["invalid_job_id"], 404: ["job_not_found", "job_expired"] };
const mediaErrors = { ...jobErrors, 404: [...jobErrors[404], "media_not_found"], 410: ["media_expired"] };

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
      "It is cold and without an image. Its routes are those of this document below /worlds/{world_id}: the paths in " +
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
  readyOperation,
  {
    method: "get",
    path: "/metrics",
    id: "metrics",
    tag: "server",
    summary: "Counters and gauges in the text format of Prometheus",
    answers: { 200: { description: "The metrics", content: { type: "text/plain" } } },
  },
  documentOperation,
  ...sessionOperations,
  {
    method: "get",
    path: "/v1/world/jobs/{id}",
    id: "job",
    tag: "jobs",
    summary: "The current state of a job",
    description: "The last 256 finished jobs are kept.",
    headers: ["If-None-Match", "Prefer"],
    answers: {
      200: { description: "The job", content: { schema: "JobRecord" }, headers: ["ETag"] },
      304: { description: "The job is as the client has it", headers: ["ETag"] },
    },
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
    method: "get",
    path: "/v1/world/start/places/{place}/image",
    id: "placeImage",
    tag: "start",
    summary: "The picture of another place that comes with the model",
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
    description:
      "Upload it as the source to walk on from it. One is made at a time; equal seeds give equal pictures. " +
      "Words that are not of a small model's captions are named in x-svc-warning.",
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
