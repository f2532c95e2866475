import { answerSchemas } from "./api_answers.ts";
import { apiOperations } from "./api_operations.ts";
import { visionOperations } from "./vision_operations.ts";
import { visionSchemas } from "./vision_schemas.ts";
import { messagesOperations, messagesSchemas } from "./messages_operations.ts";
import { realtimeOperations } from "./realtime_operation.ts";
import { responsesOperations, responsesSchemas } from "./responses_operations.ts";
import { textOperations, textSchemas } from "./text_operations.ts";
import { imageOperations, imageSchemas } from "./image_operations.ts";
import { requestSchemas } from "./api_requests.ts";
import { statusSchemas } from "./api_status.ts";
import { transcriptionOperations, transcriptionSchemas } from "./transcription_operation.ts";
import type { JsonObject } from "./both_spellings.ts";
import { openApiDocument } from "./document.ts";
import { headerText, serverHeaders } from "./headers.ts";

const description = [
  "Local models for chats, embeddings, reranking, speech and transcription through an OpenAI-compatible API.",
  "Fields of /v1 are in snake_case, those of /runtime in camelCase; absent values are omitted.",
  "A server started with a key requires it as a bearer token on every request except /health and of " +
  "preflights.",
  "Every error is an object `error` with `message`, `type`, `code` and, if one field is invalid, `param`. Checks run " +
  "in this order: method and path, host and origin, token, content type, rate limit, size, JSON, fields, model, queue.",
  "Bodies have at most 10 MiB, settings 1 MiB, recordings 100 MiB. The limit of model requests per client and minute is " +
  "--rate-limit-per-minute; their answers report the remaining ones in x-ratelimit-*.",
  "An unknown path is 404 `path_not_found`, a path without the method 405 `method_not_allowed` with `Allow`.",
];

/** The OpenAPI 3.1 document of the model API server. */
export function apiDocument(): JsonObject {
  return openApiDocument({
    title: "svc model API",
    description,
    tags: ["inference", "models", "runtime", "server", "vision"],
    operations: [
      ...apiOperations,
      ...responsesOperations,
      ...realtimeOperations,
      ...messagesOperations,
      ...textOperations,
      ...transcriptionOperations,
      ...imageOperations,
      ...visionOperations,
    ],
    schemas: {
      ...requestSchemas,
      ...answerSchemas,
      ...statusSchemas,
      ...responsesSchemas,
      ...messagesSchemas,
      ...textSchemas,
      ...transcriptionSchemas,
      ...imageSchemas,
      ...visionSchemas,
    },
    headers: {
      ...serverHeaders,
      "Content-Range": headerText("The range of bytes, or the size of the file", {
        pattern: "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$",
      }),
      "X-Svc-Artifacts": {
        ...headerText("The path below which the files of the answer can be fetched", { pattern: "^/v1/" }),
        required: false,
      },
      "X-RateLimit-Limit-Requests": {
        ...headerText("Model requests within a minute", { pattern: "^[0-9]+$" }),
        required: false,
      },
      "X-RateLimit-Remaining-Requests": {
        ...headerText("Remaining requests", { pattern: "^[0-9]+$" }),
        required: false,
      },
      "X-RateLimit-Reset-Requests": {
        ...headerText("Time until the limit is fully restored", { pattern: "^[0-9]+s$" }),
        required: false,
      },
    },
    parameters: {},
    pathParameters: {
      id: { type: "string", description: "Id or alias of a model" },
      response: { type: "string", description: "Id of a response" },
      result: { type: "string", format: "uuid", description: "The last folder of the file:// URLs of an answer" },
      name: { type: "string", description: "Path of a file within the result; it may contain slashes" },
    },
    bodyErrors: ["missing_field", "wrong_type"],
  });
}
