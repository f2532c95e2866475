/**
 * Bodies that come in many small parts.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { clearImmediate, setImmediate } from "node:timers";

/** Parts before the first one is held back. */
const FREE_PARTS = 64;

/** Parts of at least this size on average are passed on as they come, in bytes. */
const LARGE_PART = 1024;

/** More tiny parts than these, and no client means well. */
const MAX_TINY = { parts: 250_000, bytes: 16 } as const;

/** Size of a joined part, in bytes. */
const JOINED = 65_536;

/**
 * Joins the parts of a body when they are many and small. Each part that a request passes on costs microseconds, in which
 * nothing else is answered: a client that sends a megabyte byte by byte would block the server for seconds. A
 * connection that keeps doing so is closed.
 */
export function joinParts(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let parts = 0;
  let bytes = 0;
  let held: Buffer | undefined;
  let length = 0;
  let waiting: ReturnType<typeof setImmediate> | undefined;
  const flush = (): void => {
    clearImmediate(waiting);
    waiting = undefined;
    if (length === 0 || request.destroyed) return;
    const part = Buffer.from(held!.subarray(0, length));
    length = 0;
    push(part);
  };
  request.push = (part: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (part === null) {
      flush();
      return push(null);
    }
    parts++;
    bytes += part.length;
    if (parts > MAX_TINY.parts && bytes < MAX_TINY.bytes * parts) {
      request.socket.destroy();
      return false;
    }
    const isOrdinary = parts <= FREE_PARTS || bytes >= LARGE_PART * parts;
    if (length + part.length > JOINED || isOrdinary) flush();
    if (isOrdinary || part.length > JOINED) return push(part, encoding);
    held ??= Buffer.allocUnsafe(JOINED);
    held.set(part, length);
    length += part.length;
    waiting ??= setImmediate(flush);
    return request.readableLength < request.readableHighWaterMark;
  };
}
