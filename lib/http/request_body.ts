/**
 * Request bodies, with limits, and the JSON in them.
 *
 * @module
 */
import { BodyMemory } from "./body_memory.ts";
import { invalidRequest, SvcError } from "../errors/svc_error.ts";
import { keepJsonText } from "../json/json_sources.ts";
import { jsonExtent, repeatedJsonKey } from "../json/json_text.ts";
import { show } from "../errors/show.ts";

/** Whether a content type is JSON: `application/json` or anything with `+json`. */
export function isJsonType(contentType: string | null): boolean {
  return /^(application\/json|[\w!#$&^.-]+\/[\w!#$&^.+-]+\+json)$/.test(essence(contentType));
}

/** A content type in lower case without its parameters; empty when absent. */
export function essence(contentType: string | null): string {
  return (contentType ?? "").split(";")[0].trim().toLowerCase();
}

/** The 415 of a body with the wrong content type. */
export function wrongContentType(found: string | null, expected: string): SvcError {
  const has = found === null ? "it has no content type" : `its content type is ${JSON.stringify(found)}`;
  const message = `Cannot read the body: ${has}, expected ${expected}`;
  return invalidRequest("unsupported_content_type", message);
}

/** Bodies of this process that are being read may have this many bytes together. */
const MAX_IN_FLIGHT = 512 * 2 ** 20;

/** Bytes of a refused body that are taken from the wire and forgotten. */
const MAX_DISCARDED = 64 * 2 ** 20;

/** The first buffer of a body whose length is not known. */
const FIRST_BUFFER = 16 * 1024;

const processMemory = new BodyMemory(MAX_IN_FLIGHT);

/**
 * Reads a whole body into one buffer: a client may send it byte by byte, and each part would cost a hundred times its
 * size.
 *
 * @throws {SvcError} 413 as soon as it is known to be longer than `limit` bytes, 400 when the client breaks off, 503
 * when the bodies of all requests together are too large.
 */
export async function readBody(
  request: Request,
  limit: number,
  memory: BodyMemory = processMemory,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const reader = request.body?.getReader();
  let buffer = new Uint8Array();
  let size = 0;
  try {
    while (reader) {
      const { done, value } = await reader.read().catch((error) => {
        if (error instanceof SvcError) throw error; // of a body that was decoded
        const message = "Cannot read the body: the connection ended before it was complete";
        throw invalidRequest("incomplete_body", message);
      });
      if (done) break;
      if (size + value.length > limit) throw tooLarge(limit);
      if (size + value.length > buffer.length) {
        const length = Math.min(limit, Math.max(FIRST_BUFFER, 2 * buffer.length, size + value.length));
        memory.take(length - buffer.length);
        const larger = new Uint8Array(length);
        larger.set(buffer.subarray(0, size));
        buffer = larger;
      }
      buffer.set(value, size);
      size += value.length;
    }
    return buffer.slice(0, size);
  } catch (error) {
    void discardRest(reader);
    throw error;
  } finally {
    memory.release(buffer.length);
  }
}

/** Takes the rest of a refused body from the wire, so that the client's next request can follow on the connection. */
export async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  try {
    for (let left = MAX_DISCARDED; left > 0;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      left -= next.value.length;
    }
    await reader?.cancel();
  } catch {
    // The client has disconnected.
  }
}

/** The 413 of a body of more bytes than its route takes. */
export function tooLarge(limit: number): SvcError {
  const message = `Cannot read the body: it is larger than the limit of ${limit} bytes`;
  return invalidRequest("body_too_large", message);
}

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
  return parseJsonText(text);
}

/**
 * Parses the text of a body, or of a message. Throws as {@linkcode parseRequestJson}.
 *
 * @param what What it is, for errors.
 */
export function parseJsonText(text: string, what = "body"): unknown {
  const { values, depth } = jsonExtent(text, MAX_VALUE);
  if (values > MAX_VALUE.values) {
    throw wrong("invalid_json", `it has more than ${MAX_VALUE.values} values, expected fewer`, undefined, what);
  }
  if (depth > MAX_VALUE.depth) {
    throw wrong("invalid_json", `it has more than ${MAX_VALUE.depth} levels, expected fewer`, undefined, what);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong("invalid_json", `${show(text.slice(0, 60))} is not JSON`, undefined, what);
  }
  const twice = repeatedJsonKey(text);
  if (twice === undefined) {
    keepJsonText(body, text);
    return body;
  }
  throw wrong("duplicate_field", `${show(twice)} is given twice, expected once`, twice, what);
}

function wrong(code: "invalid_json" | "duplicate_field", reason: string, param?: string, what = "body"): SvcError {
  return invalidRequest(code, `Cannot read the ${what}: ${reason}`, param);
}

/** Default limit of a JSON body, in bytes. */
export const MAX_JSON_BYTES: number = 1024 * 1024;

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

/** Reads the JSON that a client has sent to a route that takes no body; undefined for any other body and for none. */
export async function readNeedlessJson(request: Request): Promise<unknown> {
  return isJsonType(request.headers.get("content-type")) ? await readOptionalJson(request) : undefined;
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
