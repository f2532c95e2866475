import type { JsonObject } from "./both_spellings.ts";
import type { Content, Operation } from "./operation.ts";

/** A server to describe. */
export interface ServerDescription {
  readonly title: string;
  /** Paragraphs. */
  readonly description: readonly string[];
  readonly tags: readonly string[];
  readonly operations: readonly Operation[];
  readonly schemas: Record<string, JsonObject>;
  readonly headers: Record<string, JsonObject>;
  /** Headers of requests. */
  readonly parameters: Record<string, JsonObject>;
  /** Schemas of the variable parts of paths by name. */
  readonly pathParameters: Record<string, JsonObject>;
  /** Codes that each body of a schema may be rejected with besides those of its fields. */
  readonly bodyErrors: readonly string[];
}

/** The OpenAPI 3.1 document of a server. */
export function openApiDocument(server: ServerDescription): JsonObject {
  const { operations, schemas } = server;
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const item = paths[path] ??= { ...pathParameters(path, server.pathParameters), options: preflight(path) };
    item[method] = describe(operation, server);
    if (method === "get") item["head"] = headOf(operation, server);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: server.title,
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
      description: server.description.join("\n\n"),
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    tags: server.tags.map((name) => ({ name })),
    security: [{ bearer: [] }, {}],
    paths,
    components: {
      schemas,
      headers: server.headers,
      parameters: server.parameters,
      responses: {
        ...usedShared(paths),
        Allowed: response("Methods in Allow, and for preflights the CORS headers", undefined, ["Allow"]),
        PathNotFound: failure(["path_not_found"], "The server has no such path"),
        MethodNotAllowed: failure(["method_not_allowed"], "The path has no such method", ["Allow"]),
      },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The key of --api-key; the scheme name is case-insensitive",
        },
      },
    },
  };
}

const failures: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "The token is missing or wrong",
  403: "The host, the origin, the peer or a path is not allowed",
  404: "Not found",
  409: "The session cannot do that now",
  410: "The file has been removed, as one of the oldest",
  413: "The body is too large",
  415: "The body has the wrong content type",
  416: "The range begins after the end",
  426: "The path is a WebSocket",
  429: "Too many requests",
  499: "The client has disconnected",
  500: "Unexpected error; the log has details under the request id",
  503: "The model cannot be loaded",
};

const tokenErrors = ["missing_api_key", "invalid_api_key"];
const sourceErrors = ["host_not_allowed", "peer_not_allowed", "origin_not_allowed"];

/** Errors that many operations have in the same form. */
const shared: Readonly<Record<string, JsonObject>> = {
  Unauthorized: failureOf(401, tokenErrors),
  Forbidden: failureOf(403, sourceErrors),
  TooLarge: failureOf(413, ["body_too_large"]),
  WrongContentType: failureOf(415, ["unsupported_content_type", "unsupported_content_encoding"]),
  ModelNotFound: failureOf(404, ["model_not_found"]),
  LoadCancelled: failureOf(409, ["load_cancelled"]),
  PathForbidden: failureOf(403, ["path_not_allowed", ...sourceErrors]),
  TooManyRequests: failureOf(429, ["rate_limit_exceeded", "queue_full"]),
  Disconnected: failureOf(499, ["client_disconnected"]),
  InferenceFailed: failureOf(500, [
    "engine_crashed",
    "broken_settings",
    "broken_record",
    "invalid_output",
    "template_failed",
    "internal_error",
  ]),
  ModelUnavailable: failureOf(503, [
    "model_unavailable",
    "memory_pressure",
    "server_stopping",
    "template_invalid",
  ]),
  RangeNotSatisfiable: failureOf(416, ["range_not_satisfiable"]),
  ServerError: failureOf(500, ["internal_error"]),
};

/** Those of {@linkcode shared} that an operation has. */
function usedShared(paths: JsonObject): JsonObject {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(shared).filter(([name]) => text.includes(`/responses/${name}"`)));
}

function describe(operation: Operation, server: ServerDescription): JsonObject {
  const { id, tag, summary, description, body, headers = [] } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(operation.open && { security: [] }),
    ...(headers.length > 0 && { parameters: headers.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    ...(body && { requestBody: { required: body.required, content: contentOf(body.content) } }),
    responses: responsesOf(operation, server),
  };
}

function headOf(operation: Operation, server: ServerDescription): JsonObject {
  const get = describe(operation, server);
  const answers = Object.entries(operation.answers).map(([status, { description, headers }]) => {
    return [status, response(description, undefined, headers)];
  });
  return {
    ...get,
    operationId: `${operation.id}Head`,
    summary: `${operation.summary}: headers only`,
    responses: { ...Object.fromEntries(answers), default: response("An error like that of GET, without a body") },
  };
}

function preflight(path: string): JsonObject {
  return {
    operationId: `preflight ${path}`.replace(
      /[^a-z0-9]+([a-z0-9])?/gi,
      (_, letter?: string) => letter?.toUpperCase() ?? "",
    ),
    tags: ["server"],
    summary: "Allowed methods and headers, for CORS preflights",
    security: [],
    responses: {
      204: { $ref: "#/components/responses/Allowed" },
      403: { $ref: "#/components/responses/Forbidden" },
    },
  };
}

function responsesOf(operation: Operation, server: ServerDescription): JsonObject {
  const responses: JsonObject = {};
  for (const [status, { description, content, headers }] of Object.entries(operation.answers)) {
    responses[status] = response(description, content && contentsOf(content), headers);
  }
  if (operation.failure !== undefined) return { ...responses, default: failureIn(operation.failure) };
  for (const [status, codes] of Object.entries(errorsOf(operation, server))) {
    const made = failureOf(status, codes);
    const name = Object.keys(shared).find((key) => JSON.stringify(shared[key]) === JSON.stringify(made));
    responses[status] = name === undefined ? made : { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** The codes of all errors of an operation by status: those it names and those that follow from what it takes. */
function errorsOf(
  { open, body, noFields, errors = {} }: Operation,
  { schemas, bodyErrors }: ServerDescription,
): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  const add = (status: number, codes: readonly string[]): void => {
    all[status] = [...new Set([...all[status] ?? [], ...codes])];
  };
  for (const [status, codes] of Object.entries(errors)) add(Number(status), codes);
  if (body && "schema" in body.content) {
    const { properties } = schemas[body.content.schema] as { properties: Record<string, unknown> };
    const fields = Object.keys(properties).filter((name) => !/[A-Z]/.test(name));
    add(400, ["invalid_json", "incomplete_body", "duplicate_field", ...bodyErrors]);
    add(400, fields.map((field) => `invalid_${field}`));
    add(413, ["body_too_large"]);
    add(415, ["unsupported_content_type"]);
  }
  if (body && "form" in body.content) {
    const { properties } = schemas[body.content.form] as { properties: Record<string, unknown> };
    const fields = Object.keys(properties).filter((name) => !name.endsWith("[]"));
    add(400, ["invalid_multipart", "incomplete_body", "duplicate_field", "unknown_field", ...bodyErrors]);
    add(400, fields.map((field) => `invalid_${field}`));
    add(413, ["body_too_large"]);
    add(415, ["unsupported_content_type"]);
    add(500, ["disk_full"]);
  }
  if (noFields) {
    add(400, ["invalid_json", "incomplete_body", "duplicate_field", ...bodyErrors]);
    add(413, ["body_too_large"]);
  }
  if (body || noFields) {
    add(400, ["invalid_content_encoding"]);
    add(415, ["unsupported_content_encoding"]);
    add(503, ["memory_pressure"]);
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

/** Every error of an operation, in a shape of its own. */
function failureIn(schema: string): JsonObject {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  return response("Any error", content);
}

function response(description: string, content?: JsonObject, headers: readonly string[] = []): JsonObject {
  const names = ["X-Request-Id", "Vary", "Cache-Control", ...headers];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(content && { content }),
  };
}

function contentsOf(contents: Content | readonly Content[]): JsonObject {
  return Array.isArray(contents) ? Object.assign({}, ...contents.map(contentOf)) : contentOf(contents as Content);
}

function contentOf(content: Content): JsonObject {
  if ("schema" in content) {
    return { "application/json": { schema: { $ref: `#/components/schemas/${content.schema}` } } };
  }
  if ("form" in content) {
    return { "multipart/form-data": { schema: { $ref: `#/components/schemas/${content.form}` } } };
  }
  if ("anyOf" in content) {
    const schema = { anyOf: content.anyOf.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
    return { "application/json": { schema } };
  }
  if ("array" in content) {
    const items = { $ref: `#/components/schemas/${content.array}` };
    return { "application/json": { schema: { type: "array", items } } };
  }
  if ("events" in content) return { "text/event-stream": { schema: eventOf(content.events) } };
  const { type } = content;
  const isText = type.startsWith("text/") && type !== "text/event-stream"; // tools check event by event, as objects
  if (type === "image/*") return { "image/*": {}, "application/octet-stream": {} };
  return {
    [type]: {
      schema: type === "application/json" ? { type: "object" } : isText ? { type: "string" } : {},
    },
  };
}

/** One event of a stream: tools check the events one by one, as objects of their fields. */
function eventOf(events: Readonly<Record<string, string>>): JsonObject {
  return {
    oneOf: Object.entries(events).map(([name, schema]) => ({
      type: "object",
      properties: {
        id: { type: "string" },
        event: { const: name },
        data: {
          type: "string",
          contentMediaType: "application/json",
          contentSchema: { $ref: `#/components/schemas/${schema}` },
        },
      },
      required: ["id", "event", "data"],
    })),
  };
}

function pathParameters(path: string, schemas: Record<string, JsonObject>): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: "path", required: true, schema: schemas[name] })) };
}
