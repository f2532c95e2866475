/**
 * The JSON of a request body.
 *
 * @module
 */
import { jsonExtent } from "../errors/json_extent.ts";
import { repeatedJsonKey } from "../errors/repeated_json_key.ts";
import { show } from "../errors/show.ts";
import { invalidRequest } from "../errors/make_error.ts";
import type { SvcError } from "../errors/svc_error.ts";

/** The largest value of a body. Parsed values take many times the memory of their text. */
const MAX_VALUE = { values: 500_000, depth: 512 } as const;

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
    throw wrong("invalid_json", "it is not UTF-8");
  }
  const { values, depth } = jsonExtent(text, MAX_VALUE);
  if (values > MAX_VALUE.values) {
    throw wrong("invalid_json", `it has more than ${MAX_VALUE.values} values, expected fewer`);
  }
  if (depth > MAX_VALUE.depth) {
    throw wrong("invalid_json", `it has more than ${MAX_VALUE.depth} levels, expected fewer`);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong("invalid_json", `${show(text.slice(0, 60))} is not JSON`);
  }
  const twice = repeatedJsonKey(text);
  if (twice === undefined) return body;
  throw wrong("duplicate_field", `${show(twice)} is given twice, expected once`, twice);
}

function wrong(code: "invalid_json" | "duplicate_field", reason: string, param?: string): SvcError {
  return invalidRequest(code, `Cannot read the body: ${reason}`, param);
}
