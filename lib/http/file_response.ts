/**
 * Files as responses, complete or as a range.
 *
 * @module
 */
import { SvcError } from "../errors/svc_error.ts";

/** A file that can be read in ranges. */
export interface ServedFile {
  readonly size: number;
  /** Modification time, in milliseconds since 1970. */
  readonly modified: number;
  /** The bytes from `start` up to and including `end`. */
  stream(start: number, end: number): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Answers GET and HEAD with a file: `Range` (one range), `If-Range`, `If-None-Match`, a strong `ETag`, `no-store`.
 *
 * @throws {SvcError} 416 for a range that begins past the end.
 */
export function fileResponse(request: Request, file: ServedFile, contentType: string): Response {
  const etag = `"${file.modified.toString(16)}-${file.size.toString(16)}"`;
  const headers = new Headers({ "cache-control": "no-store", "accept-ranges": "bytes", etag });
  const known = request.headers.get("if-none-match");
  if (known !== null && known.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")))) {
    return new Response(null, { status: 304, headers });
  }
  const range = chosenRange(request, file.size, etag);
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  headers.set("content-type", contentType);
  headers.set("content-length", String(end - start + 1));
  if (range) headers.set("content-range", `bytes ${start}-${end}/${file.size}`);
  const body = request.method === "HEAD" || end < start ? null : file.stream(start, end);
  return new Response(body, { status: range ? 206 : 200, headers });
}

function chosenRange(request: Request, size: number, etag: string): { start: number; end: number } | undefined {
  const header = request.headers.get("range");
  const condition = request.headers.get("if-range");
  if (header === null || (condition !== null && condition !== etag)) return undefined;
  // RFC 9110 allows ignoring ranges that are malformed, in another unit or more than one.
  const match = /^bytes *= *(?:(\d+) *)?- *(\d*)$/i.exec(header.trim());
  if (!match || (match[1] === undefined && match[2] === "")) return undefined;
  const [, first = "", last] = match;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (first === "" && Number(last) === 0)) {
    const message = `Cannot send the range ${JSON.stringify(header)}: the file has ${size} bytes`;
    const headers = { "content-range": `bytes */${size}`, "accept-ranges": "bytes" };
    throw new SvcError("range_not_satisfiable", message, { headers });
  }
  return { start, end };
}
