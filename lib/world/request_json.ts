/**
 * The JSON text of a request body.
 *
 * @module
 */
import { repeatedJsonKey } from "../tensor/repeated_json_key.ts";
import { show } from "../words/show.ts";
import { invalidRequest } from "./world_error.ts";

/**
 * Parses a body.
 *
 * @throws {WorldError} `invalid_json`, and `duplicate_field` for a name that one object has twice.
 */
export function parseRequestJson(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest("invalid_json", `Cannot read the body: ${show(text.slice(0, 60))} is no JSON`);
  }
  const twice = repeatedJsonKey(text);
  if (twice === undefined) return body;
  const message = `Cannot read the body: "${twice}" is given twice, expected it once`;
  throw invalidRequest("duplicate_field", message, twice);
}
