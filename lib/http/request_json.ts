/**
 * The JSON text of a request body.
 *
 * @module
 */
import { repeatedJsonKey } from "../errors/repeated_json_key.ts";
import { show } from "../errors/show.ts";
import { invalidRequest } from "../errors/make_error.ts";
import type { SvcError } from "../errors/svc_error.ts";

/**
 * Parses a body.
 *
 * @throws {SvcError} 400 `invalid_json`, and `duplicate_field` for a name that one object has twice.
 */
export function parseRequestJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw wrong("invalid_json", "it is no UTF-8");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong("invalid_json", `${show(text.slice(0, 60))} is no JSON`);
  }
  const twice = repeatedJsonKey(text);
  if (twice === undefined) return body;
  throw wrong("duplicate_field", `${show(twice)} is given twice, expected it once`, twice);
}

function wrong(code: "invalid_json" | "duplicate_field", reason: string, param?: string): SvcError {
  return invalidRequest(code, `Cannot read the body: ${reason}`, param);
}
