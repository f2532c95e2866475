/**
 * The worlds of a server on the wire: what it says of one, and the body that asks for one.
 *
 * @module
 */
import * as v from "valibot";
import { readRequestFields } from "./requests/request_fields.ts";
import type { BackendName, SessionPhase } from "./wire.ts";
import type { Wire } from "../../json/wire_form.ts";
import { idField, timeField } from "./wire_fields.ts";

/** One of the worlds of a server. */
export interface WorldRecord {
  /** Kind of the record. */
  readonly object: "world";
  /** `default`, or a UUID. */
  readonly worldId: string;
  /** As the client has named it. */
  readonly name?: string;
  /** As asked for; one server has no pools. */
  readonly pool?: string;
  /** ISO-8601 in UTC. */
  readonly createdAt: string;
  /** What generates it. */
  readonly backend: BackendName;
  /** What its session does at present. */
  readonly phase: SessionPhase;
  /** Present where it was written to the disk, because nobody used it; the next move takes it up again. */
  readonly parked?: boolean;
  /** After a restart or an import: whether it continues bit for bit, or from the picture that it showed last. */
  readonly continuity?: "exact" | "picture";
  /** Whether it is the one that paths without an id mean. */
  readonly default: boolean;
  /** Path of its page; all its routes are below, such as `v1/world/session`. */
  readonly path: string;
}

/** Maximum number of characters of a name. */
const MAX_NAME = 200;

/** The schema of {@linkcode WorldRecord}. */
export const worldSchema: v.GenericSchema<unknown, Wire<WorldRecord>> = v.strictObject({
  object: v.literal("world"),
  world_id: idField,
  name: v.exactOptional(v.pipe(v.string(), v.metadata({ minLength: 1, maxLength: MAX_NAME }))),
  pool: v.exactOptional(v.string()),
  created_at: timeField,
  backend: v.picklist(["arworld", "actionworld"]),
  phase: v.picklist(["cold", "preparing", "ready", "generating"]),
  parked: v.exactOptional(v.pipe(v.boolean(), v.description("Whether it is on the disk, until the next move"))),
  continuity: v.exactOptional(v.picklist(["exact", "picture"])),
  default: v.pipe(v.boolean(), v.description("Whether it is the one that paths without an id mean")),
  path: v.pipe(
    v.string(),
    v.regex(/^\/worlds\/[0-9a-f-]{36}\/$/),
    v.description("Its page; all its routes are below, such as v1/world/session"),
  ),
});

/** The schema of the list of worlds. */
export const worldListSchema: v.GenericSchema<unknown, { object: "list"; data: Wire<WorldRecord>[] }> = v.strictObject({
  object: v.literal("list"),
  data: v.array(worldSchema),
});

const fields = v.object({
  name: v.optional(v.pipe(
    v.string("expected a string"),
    v.check(
      (text) => text !== "" && text.length <= 2 * MAX_NAME && [...text].length <= MAX_NAME,
      `expected 1 to ${MAX_NAME} characters`,
    ),
    v.metadata({ minLength: 1, maxLength: MAX_NAME }),
  )),
  pool: v.optional(v.pipe(
    v.string("expected a string"),
    v.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "expected 1 to 63 lower-case letters, digits and inner hyphens"),
    v.description("Of a fleet; one server has no pools and keeps the name only"),
  )),
});

/** The body of a request for a world, for the API description. */
export const worldBodySchema: v.GenericSchema = fields;

/** A request for a world. */
export interface WorldRequest {
  readonly name?: string | undefined;
  readonly pool?: string | undefined;
}

/**
 * Checks the body of a request for a world; undefined stands for an empty one.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 */
export function readWorldRequest(body: unknown): WorldRequest {
  return body === undefined ? {} : readRequestFields("open a world", body, fields, fields);
}
