/**
 * The media operations of a session.
 *
 * @module
 */
import type { Media } from "../../media/video/media.ts";

/** The part of {@linkcode Media} that a session uses. */
export type WorldMedia = Pick<
  Media,
  "prepare" | "encodeChunk" | "joinChunks" | "encodePng" | "decodeImage" | "close"
>;
