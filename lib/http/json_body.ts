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
  return parse(await readJsonBytes(request));
}

/** A JSON body that may be left out: undefined then. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  // A server's request may have a body to read that turns out to be empty: then it needs no content type either.
  if (request.body === null || request.headers.get("content-length") === "0") return undefined;
  if (!request.headers.has("content-type") && await isEmpty(request)) return undefined;
  const bytes = await readJsonBytes(request);
  return bytes.length === 0 ? undefined : parse(bytes);
}

async function readJsonBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const type = request.headers.get("content-type");
  if (!isJsonType(type)) throw wrongContentType(type, "application/json");
  return await readBody(request, MAX_JSON_BYTES);
}

function isEmpty(request: Request): Promise<boolean> {
  return readBody(request, 0).then(() => true, () => false);
}

function parse(bytes: Uint8Array<ArrayBuffer>): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest("invalid_json", "Cannot read the body: it is no UTF-8");
  }
  return parseRequestJson(text);
}
