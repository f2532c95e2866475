/**
 * The optional body of a request for a world.
 *
 * @module
 */
import * as v from "valibot";
import { readRequestFields } from "./request_fields.ts";

/** Maximum number of characters of a name. */
const MAX_NAME = 200;

const fields = v.object({
  name: v.optional(v.pipe(
    v.string("expected a string"),
    v.check((text) => text !== "" && text.length <= 2 * MAX_NAME && [...text].length <= MAX_NAME, nameRule()),
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

function nameRule(): string {
  return `expected 1 to ${MAX_NAME} characters`;
}
