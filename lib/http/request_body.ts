/**
 * Request bodies, with limits.
 *
 * @module
 */
import { invalidRequest } from "../errors/make_error.ts";
import type { SvcError } from "../errors/svc_error.ts";

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

/**
 * Reads a whole body.
 *
 * @throws {SvcError} 413 as soon as it is known to be longer than `limit` bytes, 400 when the client breaks off.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      const message = "Cannot read the body: the connection ended before it was complete";
      throw invalidRequest("incomplete_body", message);
    });
    if (done) break;
    size += value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function tooLarge(limit: number): SvcError {
  const message = `Cannot read the body: it is larger than the limit of ${limit} bytes`;
  return invalidRequest("body_too_large", message);
}
