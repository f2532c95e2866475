import type { Answer, Operation } from "./operation.ts";
import { documentOperation, readyOperation } from "./server_operations.ts";

const rate = ["X-RateLimit-Limit-Requests", "X-RateLimit-Remaining-Requests", "X-RateLimit-Reset-Requests"];
const loading = { 500: ["engine_crashed"], 503: ["model_unavailable", "memory_pressure", "server_stopping"] };
const notFound = { 404: ["model_not_found"] };
const wrongModel = ["wrong_model_task", "unsupported_model"];
const store = ["broken_settings", "broken_record"];

/** An operation that runs a model. */
export const inference = (
  path: string,
  id: string,
  summary: string,
  description: string,
  schema: string,
  answer: Answer,
  errors: readonly string[],
): Operation => ({
  method: "post",
  path,
  id,
  tag: "inference",
  summary,
  description,
  body: { content: { schema }, required: true },
  answers: { 200: { ...answer, headers: [...answer.headers ?? [], ...rate] } },
  errors: {
    ...notFound,
    400: [...wrongModel, "unsupported_parameter", "context_length_exceeded", "preparation_timeout", ...errors],
    409: ["load_cancelled"],
    429: ["rate_limit_exceeded", "queue_full"],
    499: ["client_disconnected"],
    500: [...loading[500], ...store, "invalid_output", "template_failed"],
    503: [...loading[503], "template_invalid"],
    403: ["path_not_allowed"],
  },
});

const entry = (description: string): Answer => ({ description, content: { schema: "ModelEntry" } });

/** Every operation of a model API server. */
export const apiOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/health",
    id: "health",
    tag: "server",
    summary: "Whether the server runs",
    description: "Needs no token, loads nothing and never waits for a model.",
    open: true,
    answers: { 200: { description: "It runs", content: { schema: "Health" } } },
  },
  readyOperation,
  documentOperation,
  {
    method: "get",
    path: "/metrics",
    id: "metrics",
    tag: "server",
    summary: "Counters and gauges in the text format of Prometheus",
    answers: { 200: { description: "The metrics", content: { type: "text/plain" } } },
    errors: { 500: store },
  },
  {
    method: "get",
    path: "/v1/models",
    id: "models",
    tag: "models",
    summary: "The models that requests can name",
    description:
      "Installed models and their aliases, by id. Models whose results are files on the server's machine are " +
      "listed for clients on that machine only.",
    answers: { 200: { description: "All of them", content: { schema: "ModelList" } } },
    errors: { 500: store },
  },
  {
    method: "get",
    path: "/v1/models/{id}",
    id: "model",
    tag: "models",
    summary: "One of the models",
    answers: { 200: { description: "The model", content: { schema: "Model" } } },
    errors: { ...notFound, 500: store },
  },
  {
    method: "get",
    path: "/v1/audio/models",
    id: "speechModels",
    tag: "models",
    summary: "The models of speech",
    answers: { 200: { description: "All of them", content: { schema: "SpeechModelList" } } },
    errors: { 500: store },
  },
  {
    method: "get",
    path: "/v1/audio/voices",
    id: "voices",
    tag: "models",
    summary: "The voices that requests of speech can name",
    answers: { 200: { description: "Those of all models of speech", content: { schema: "VoiceList" } } },
    errors: { 500: store },
  },
  inference(
    "/v1/chat/completions",
    "chat",
    "Answers a chat",
    "With stream the answer is server-sent events: each data line is a ChatChunk, the last one is [DONE]; an error " +
      "after the start is one data line with an Error and no [DONE] follows. The status waits for the first text, at " +
      "most 15 s; a comment every 15 s keeps the connection alive. A field that would change the answer and that the " +
      "model cannot honour is rejected; one without effect is named in x-svc-warning.",
    "ChatRequest",
    {
      description:
        "The answer, complete or as a stream; a stream has times in its headers if the answer was complete before it began",
      content: [{ schema: "ChatCompletion" }, { type: "text/event-stream" }],
    },
    [
      "image_not_found",
      "image_too_large",
      "image_unsupported",
      "invalid_image",
      "images_not_placed",
      "template_refused",
    ],
  ),
  inference(
    "/v1/embeddings",
    "embeddings",
    "Turns texts into vectors",
    "Vectors come as numbers: base64 and other dimensions are refused. Texts are never truncated.",
    "EmbeddingRequest",
    { description: "One vector per text, in input order", content: { schema: "EmbeddingList" } },
    ["empty_text", "unsuitable_files", "invalid_id"],
  ),
  inference(
    "/v1/rerank",
    "rerank",
    "Sorts documents by how well they answer a query",
    "Documents are never truncated.",
    "RerankRequest",
    { description: "The best first", content: { schema: "RerankList" } },
    ["empty_text", "unsuitable_files", "invalid_id"],
  ),
  inference(
    "/v1/audio/speech",
    "speech",
    "Speaks a text",
    "The sound comes sentence by sentence while the text is spoken, as bytes or with stream_format sse as server-sent " +
      "events speech.audio.delta, with base64 in audio, and speech.audio.done; a failure after the start is one data " +
      "line with an Error, or cuts the bytes off. The length in the header of wav is unknown (4294967295) where the " +
      "text has several sentences. What is ignored or left out is named in x-svc-warning. The same request gives the " +
      "same bytes.",
    "SpeechRequest",
    {
      description: "The sound",
      content: [
        ...["audio/wav", "audio/mpeg", "audio/ogg", "audio/aac", "audio/flac", "audio/pcm", "text/event-stream"]
          .map((type) => ({ type })),
      ],
    },
    ["audio_encoder_missing", "unsuitable_files", "invalid_id"],
  ),
  {
    method: "get",
    path: "/runtime/status",
    id: "status",
    tag: "runtime",
    summary: "State of requests, models and memory",
    description: "Unloads expired models first; never waits in the queue.",
    answers: { 200: { description: "Everything", content: { schema: "RuntimeStatus" } } },
    errors: { 500: store },
  },
  {
    method: "post",
    path: "/runtime/models/{id}/load",
    id: "load",
    tag: "runtime",
    summary: "Loads a chat model",
    description:
      "Waits in the request queue. Renews the idle time of a loaded model. There are no fields: settings in a " +
      "body are refused.",
    noFields: true,
    answers: { 200: entry("The model, loaded") },
    errors: {
      ...notFound,
      400: [...wrongModel, "unsupported_parameter"],
      409: ["load_cancelled"],
      429: ["queue_full"],
      499: ["client_disconnected"],
      500: [...loading[500], ...store],
      503: loading[503],
    },
  },
  {
    method: "post",
    path: "/runtime/models/{id}/unload",
    id: "unload",
    tag: "runtime",
    summary: "Unloads a chat model, pinned or not",
    description: "Waits in the request queue. Cancels a load in progress. There are no fields.",
    noFields: true,
    answers: { 200: entry("The model, not loaded") },
    errors: {
      ...notFound,
      400: [...wrongModel, "unsupported_parameter"],
      409: ["model_in_use"],
      429: ["queue_full"],
      499: ["client_disconnected"],
      500: store,
      503: ["server_stopping"],
    },
  },
  {
    method: "get",
    path: "/runtime/models/{id}/settings",
    id: "settings",
    tag: "runtime",
    summary: "The settings of a chat model",
    answers: { 200: { description: "The settings; absent ones are unset", content: { schema: "RuntimeSettings" } } },
    errors: { ...notFound, 400: ["wrong_model_task"], 500: store },
  },
  {
    method: "patch",
    path: "/runtime/models/{id}/settings",
    id: "changeSettings",
    tag: "runtime",
    summary: "Replaces the settings of a chat model",
    description: "Omitted settings are unset. Sampling and limits apply from the next request, the mode of " +
      "key-value state from the next load.",
    body: { content: { schema: "SettingsRequest" }, required: true },
    answers: { 200: { description: "The current settings", content: { schema: "RuntimeSettings" } } },
    errors: {
      ...notFound,
      400: ["invalid_settings", "wrong_model_task"],
      409: ["alias_taken"],
      500: store,
    },
  },
];
