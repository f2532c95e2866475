import type { JsonObject } from "./both_spellings.ts";
import { componentSchemas } from "./component_schemas.ts";
import { componentHeaders, componentParameters } from "./headers.ts";
import { type Content, type Operation, operations } from "./operations.ts";

/** The OpenAPI 3.1 document of the world server. */
export function openApiDocument(): JsonObject {
  const schemas = componentSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const item = paths[path] ??= { ...pathParameters(path), options: preflight(path) };
    item[method] = describe(operation, schemas);
    if (method === "get") item["head"] = headOf(operation, schemas);
  }
  return {
    openapi: "3.1.0",
    info: { title: "svc world server", version: "1", license: { name: "MIT", identifier: "MIT" }, description },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    tags: ["session", "moves", "jobs", "checkpoints", "events", "start", "server"].map((name) => ({ name })),
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      schemas,
      headers: componentHeaders,
      parameters: componentParameters,
      responses: {
        ...shared,
        Allowed: response("Methods in Allow, and for preflights the CORS headers", undefined, ["Allow"]),
        PathNotFound: failure(["path_not_found"], "The server has no such path"),
        MethodNotAllowed: failure(["method_not_allowed"], "The path has no such method", ["Allow"]),
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The key of --api-key; the scheme's word in any case" },
      },
    },
  };
}

const description = [
  "One warm world model: camera moves in, video chunks out.",
  "Bodies are accepted in snake_case and in camelCase, each field in one of the two; answers are in snake_case, and " +
  "what is absent is left out.",
  "A server that was started with a key wants it as a bearer token with every request but those of /health, of the " +
  "page's files and of preflights.",
  "Every error is an object `error` with `message`, `type`, `code` and, where one field is wrong, `param`. Checks come " +
  "in this order: method and path, host and origin, token, content type, size, JSON, fields, state.",
  "An unknown path is 404 `path_not_found`, a path without the method 405 `method_not_allowed` with `Allow`.",
].join("\n\n");

const failures: Readonly<Record<number, string>> = {
  400: "The request is wrong",
  401: "The token is missing or wrong",
  403: "The host, the origin, the peer or a path is not allowed",
  404: "There is no such thing",
  409: "The session cannot do that now",
  413: "The body is too large",
  415: "The body has the wrong content type",
  416: "The range begins behind the end",
  429: "Too many at a time",
  500: "Something unforeseen; the log tells more under the request id",
  503: "The model cannot be loaded",
};

const tokenErrors = ["missing_api_key", "invalid_api_key"];
const sourceErrors = ["host_not_allowed", "peer_not_allowed", "origin_not_allowed"];

/** Errors that many operations have in the same form. */
const shared: Readonly<Record<string, JsonObject>> = {
  Unauthorized: failureOf(401, tokenErrors),
  Forbidden: failureOf(403, sourceErrors),
  TooLarge: failureOf(413, ["body_too_large"]),
  WrongContentType: failureOf(415, ["unsupported_content_type"]),
  RangeNotSatisfiable: failureOf(416, ["range_not_satisfiable"]),
  ServerError: failureOf(500, ["internal_error"]),
};

function describe(operation: Operation, schemas: Record<string, JsonObject>): JsonObject {
  const { id, tag, summary, description, body, headers = [] } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(operation.open && { security: [] }),
    ...(headers.length > 0 && { parameters: headers.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    ...(body && { requestBody: { required: body.required, content: contentOf(body.content) } }),
    responses: responsesOf(operation, schemas),
  };
}

function headOf(operation: Operation, schemas: Record<string, JsonObject>): JsonObject {
  const get = describe(operation, schemas);
  const answers = Object.entries(operation.answers).map(([status, { description, headers }]) => {
    return [status, response(description, undefined, headers)];
  });
  return {
    ...get,
    operationId: `${operation.id}Head`,
    summary: `${operation.summary}: the headers alone`,
    responses: { ...Object.fromEntries(answers), default: response("An error as GET has it, without its body") },
  };
}

function preflight(path: string): JsonObject {
  return {
    operationId: `preflight ${path}`.replace(
      /[^a-z0-9]+([a-z0-9])?/gi,
      (_, letter?: string) => letter?.toUpperCase() ?? "",
    ),
    tags: ["server"],
    summary: "What is allowed here, for preflights of pages",
    security: [],
    responses: {
      204: { $ref: "#/components/responses/Allowed" },
      403: { $ref: "#/components/responses/Forbidden" },
    },
  };
}

function responsesOf(operation: Operation, schemas: Record<string, JsonObject>): JsonObject {
  const responses: JsonObject = {};
  for (const [status, { description, content, headers }] of Object.entries(operation.answers)) {
    responses[status] = response(description, content && contentOf(content), headers);
  }
  for (const [status, codes] of Object.entries(errorsOf(operation, schemas))) {
    const made = failureOf(status, codes);
    const name = Object.keys(shared).find((key) => JSON.stringify(shared[key]) === JSON.stringify(made));
    responses[status] = name === undefined ? made : { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** The codes of all errors of an operation by status: those it names and those that follow from what it takes. */
function errorsOf(
  { open, body, errors = {} }: Operation,
  schemas: Record<string, JsonObject>,
): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  const add = (status: number, codes: readonly string[]): void => void (all[status] ??= []).push(...codes);
  for (const [status, codes] of Object.entries(errors)) add(Number(status), codes);
  if (body && "schema" in body.content) {
    const { properties } = schemas[body.content.schema] as { properties: Record<string, unknown> };
    const fields = Object.keys(properties).filter((name) => !/[A-Z]/.test(name));
    add(400, ["invalid_json", "incomplete_body", "unknown_field", "duplicate_field", "missing_field", "wrong_type"]);
    add(400, fields.map((field) => `invalid_${field}`));
    add(413, ["body_too_large"]);
    add(415, ["unsupported_content_type"]);
  }
  if (!open) add(401, tokenErrors);
  add(403, sourceErrors);
  add(500, ["internal_error"]);
  return all;
}

function failureOf(status: number | string, codes: readonly string[]): JsonObject {
  const headers = { 401: ["WWW-Authenticate"], 416: ["Content-Range"], 429: ["Retry-After"] }[status];
  return failure(codes, failures[Number(status)], headers);
}

function failure(codes: readonly string[], description: string, headers: readonly string[] = []): JsonObject {
  const schema = {
    $ref: "#/components/schemas/Error",
    properties: { error: { properties: { code: { enum: codes } } } },
  };
  return response(description, { "application/json": { schema } }, headers);
}

function response(description: string, content?: JsonObject, headers: readonly string[] = []): JsonObject {
  const names = ["X-Request-Id", "Vary", "Cache-Control", ...headers];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(content && { content }),
  };
}

function contentOf(content: Content): JsonObject {
  if ("schema" in content) {
    return { "application/json": { schema: { $ref: `#/components/schemas/${content.schema}` } } };
  }
  if ("array" in content) {
    const items = { $ref: `#/components/schemas/${content.array}` };
    return { "application/json": { schema: { type: "array", items } } };
  }
  const { type } = content;
  if (type === "image/*") return { "image/*": {}, "application/octet-stream": {} };
  return {
    [type]: {
      schema: type === "application/json" ? { type: "object" } : type.startsWith("text/") ? { type: "string" } : {},
    },
  };
}

function pathParameters(path: string): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const schemas: Record<string, JsonObject> = {
    id: { type: "string", format: "uuid" },
    index: { type: "integer", minimum: 0, maximum: 999_999_999 },
  };
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: "path", required: true, schema: schemas[name] })) };
}
