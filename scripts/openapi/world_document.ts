import { openApiDocument } from "./document.ts";
import type { JsonObject } from "./both_spellings.ts";
import { componentHeaders, componentParameters } from "./world_headers.ts";
import { operations } from "./world_operations.ts";
import { componentSchemas } from "./world_schemas.ts";

const description = [
  "One warm world model: camera moves in, video chunks out.",
  "Bodies are accepted in snake_case and in camelCase, each field in one of the two; answers are in snake_case, and " +
  "absent values are omitted.",
  "A server started with a key requires it as a bearer token on every request except /health, of the " +
  "page's files and of preflights.",
  "Every error is an object `error` with `message`, `type`, `code` and, if one field is invalid, `param`. Checks run " +
  "in this order: method and path, host and origin, token, content type, size, JSON, fields, state.",
  "A server has one world from the start, which these paths mean, and others that POST /v1/worlds opens: all paths of " +
  "one world are there below /worlds/{world_id} too, and an id that the server does not have is 404 " +
  "`world_not_found`.",
  "An unknown path is 404 `path_not_found`, a path without the method 405 `method_not_allowed` with `Allow`.",
];

/** The OpenAPI 3.1 document of the world server. */
export function worldDocument(): JsonObject {
  return openApiDocument({
    title: "svc world server",
    description,
    tags: ["worlds", "session", "moves", "jobs", "checkpoints", "events", "start", "server"],
    operations,
    schemas: componentSchemas(),
    headers: componentHeaders,
    parameters: componentParameters,
    pathParameters: {
      id: { type: "string", format: "uuid" },
      index: { type: "integer", minimum: 0, maximum: 999_999_999 },
      place: { type: "integer", minimum: 1, maximum: 9999 },
    },
    bodyErrors: ["unknown_field", "missing_field", "wrong_type"],
  });
}
