/**
 * Frames of a stream of server-sent events.
 *
 * @module
 */
import type { ChatChunk } from "./chat_wire.ts";
import type { ErrorObject } from "../../errors/svc_error.ts";

/** Marks the successful end of a stream. */
export const DONE_FRAME = "data: [DONE]\n\n";

/** Keeps the connection of an idle stream alive; clients ignore it. */
export const KEEPALIVE_FRAME = ": keepalive\n\n";

/** A chunk as a frame. */
export function chunkFrame(chunk: ChatChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** An error after the start of a stream, which is its last frame: no {@linkcode DONE_FRAME} follows. */
export function errorFrame(error: ErrorObject): string {
  return `data: ${JSON.stringify({ error })}\n\n`;
}
