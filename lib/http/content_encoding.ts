/**
 * Bodies that clients have compressed (RFC 9110, section 8.4).
 *
 * @module
 */
import { invalidRequest, SvcError } from "../errors/svc_error.ts";
import { show } from "../errors/show.ts";

/** What a server decodes, as `Accept-Encoding` lists it. */
const ACCEPTED = "gzip, deflate, br, identity";

/** Codings over one another; more have no use but to multiply the size. */
const MAX_CODINGS = 2;

/**
 * A request with its body decoded, and without the headers that describe the encoded one; the same request when it is not
 * encoded. The limits of routes apply to the decoded body, which is decoded as it is read.
 *
 * @throws {SvcError} 415 `unsupported_content_encoding`; reading a damaged body throws `invalid_content_encoding`.
 */
export async function decodeRequest(request: Request): Promise<Request> {
  const header = request.headers.get("content-encoding");
  if (header === null || request.body === null) return request;
  const codings = header.toLowerCase().split(",").map((coding) => coding.trim()).filter((coding) =>
    coding !== "" && coding !== "identity"
  );
  const unknown = codings.find((coding) => !["gzip", "x-gzip", "deflate", "br"].includes(coding));
  if (unknown !== undefined || codings.length > MAX_CODINGS) {
    const message = `Cannot read the body: its content-encoding is ${show(header)}, expected one of ${ACCEPTED}`;
    throw new SvcError("unsupported_content_encoding", message, { headers: { "accept-encoding": ACCEPTED } });
  }
  if (codings.length === 0) return request;
  const headers = new Headers(request.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  let body: ReadableStream<Uint8Array> = request.body;
  for (const coding of codings.toReversed()) body = await decoded(body, coding);
  const { method, signal } = request;
  return new Request(request.url, { method, headers, signal, body: reported(body), duplex: "half" } as RequestInit);
}

async function decoded(body: ReadableStream<Uint8Array>, coding: string): Promise<ReadableStream<Uint8Array>> {
  // A server in a browser tab never gets here and has no zlib.
  const { decompress } = await import("../platform/files/compression.ts");
  if (coding === "br") return decompress(body, "brotli");
  if (coding !== "deflate") return decompress(body, "gzip");
  // "deflate" means zlib's format, but many clients send bare deflate (RFC 9110, section 8.4.1.2).
  const { isZlib, whole } = await peek(body);
  return decompress(whole, isZlib ? "zlib" : "deflate");
}

/** Whether a stream begins with a header of zlib (RFC 1950, section 2.2), and the stream from its start. */
async function peek(
  stream: ReadableStream<Uint8Array>,
): Promise<{ readonly isZlib: boolean; readonly whole: ReadableStream<Uint8Array> }> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let first: number[] = [];
  while (first.length < 2) {
    // A connection that ended fails the next read as well, which is reported.
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || !value) break;
    parts.push(value);
    first = [...first, ...value.subarray(0, 2)];
  }
  const isZlib = first.length >= 2 && (first[0] & 15) === 8 && (first[0] * 256 + first[1]) % 31 === 0;
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift() ?? (await reader.read()).value;
      if (part) controller.enqueue(part);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { isZlib, whole };
}

/** A decoded stream whose failure is an error of the client. */
function reported(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        const message = "Cannot read the body: it is damaged or incomplete for its content-encoding, " +
          "compress it again or send it as it is";
        controller.error(invalidRequest("invalid_content_encoding", message));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
