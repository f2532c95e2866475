/**
 * JSON bodies of requests.
 *
 * @module
 */
import { parseRequestJson } from "../world/request_json.ts";
import { invalidRequest } from "../world/world_error.ts";
import { isJsonType, readBody, wrongContentType } from "./request_body.ts";

/** Largest JSON body, in bytes. */
const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Reads a JSON body.
 *
 * @throws {HttpError} 415, 413, {WorldError} `invalid_json`, `duplicate_field`.
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (!isJsonType(type)) throw wrongContentType(type, "application/json");
  const bytes = await readBody(request, MAX_JSON_BYTES);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest("invalid_json", "Cannot read the body: it is no UTF-8");
  }
  return parseRequestJson(text);
}

/** A JSON body that may be left out: undefined then. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  if (request.body === null || request.headers.get("content-length") === "0") return undefined;
  return await readJson(request);
}
