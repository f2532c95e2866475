/**
 * JSON bodies of requests.
 *
 * @module
 */
import { isJsonType, readBody, wrongContentType } from "./request_body.ts";
import { parseRequestJson } from "./request_json.ts";

/** Default limit of a JSON body, in bytes. */
const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Reads a JSON body.
 *
 * @param limit Most bytes.
 * @throws {SvcError} 415, 413, 400 `invalid_json`, `duplicate_field`.
 */
export async function readJson(request: Request, limit: number = MAX_JSON_BYTES): Promise<unknown> {
  return parseRequestJson(await readJsonBytes(request, limit));
}

/** Reads an optional JSON body; undefined when it is absent. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  // A server's request may have a body stream that turns out to be empty: then it needs no content type either.
  if (request.body === null || request.headers.get("content-length") === "0") return undefined;
  if (!request.headers.has("content-type") && await isEmpty(request)) return undefined;
  const bytes = await readJsonBytes(request, MAX_JSON_BYTES);
  return bytes.length === 0 ? undefined : parseRequestJson(bytes);
}

/**
 * Checks that a body is declared as JSON, before it is read.
 *
 * @throws {SvcError} 415
 */
export function checkJsonType(request: Request): void {
  const type = request.headers.get("content-type");
  if (!isJsonType(type)) throw wrongContentType(type, "application/json");
}

async function readJsonBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  checkJsonType(request);
  return await readBody(request, limit);
}

function isEmpty(request: Request): Promise<boolean> {
  return readBody(request, 0).then(() => true, () => false);
}
