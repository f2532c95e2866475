import { answerSchemas } from "./api_answers.ts";
import { apiOperations } from "./api_operations.ts";
import { requestSchemas } from "./api_requests.ts";
import { statusSchemas } from "./api_status.ts";
import type { JsonObject } from "./both_spellings.ts";
import { openApiDocument } from "./document.ts";
import { headerText, serverHeaders } from "./headers.ts";

const description = [
  "Models of this machine for chats, embeddings and reranking, in the dialect of OpenAI's chat completions.",
  "Fields of /v1 are in snake_case, those of /runtime in camelCase; what is absent is left out.",
  "A server that was started with a key wants it as a bearer token with every request but those of /health and of " +
  "preflights.",
  "Every error is an object `error` with `message`, `type`, `code` and, where one field is wrong, `param`. Checks come " +
  "in this order: method and path, host and origin, token, content type, rate limit, size, JSON, fields, model, queue.",
  "Bodies have at most 10 MiB, settings 1 MiB. One client may send as many requests to models within a minute as " +
  "--rate-limit-per-minute says; all answers to these tell in x-ratelimit-* how many are left.",
  "An unknown path is 404 `path_not_found`, a path without the method 405 `method_not_allowed` with `Allow`.",
];

/** The OpenAPI 3.1 document of the model API server. */
export function apiDocument(): JsonObject {
  return openApiDocument({
    title: "svc model API",
    description,
    tags: ["inference", "models", "runtime", "server"],
    operations: apiOperations,
    schemas: { ...requestSchemas, ...answerSchemas, ...statusSchemas },
    headers: {
      ...serverHeaders,
      "X-RateLimit-Limit-Requests": headerText("Requests to models within a minute", { pattern: "^[0-9]+$" }),
      "X-RateLimit-Remaining-Requests": headerText("How many are left now", { pattern: "^[0-9]+$" }),
      "X-RateLimit-Reset-Requests": headerText("When all of them are left again", { pattern: "^[0-9]+s$" }),
    },
    parameters: {},
    pathParameters: { id: { type: "string", description: "Id or alias of a model" } },
    bodyErrors: ["missing_field", "wrong_type"],
  });
}
