/**
 * Frames out of videos.
 *
 * @module
 */
import type { VideoFrames } from "./media.ts";
import { openMedia } from "./open_media.ts";

/**
 * Some frames of an MP4 as this library writes it, decoded in the media worker. What decodes is the browser, else the
 * optional package `@napi-rs/webcodecs`.
 *
 * @example
 * ```ts
 * import { openMedia, readVideoFrames } from "@svc/sdk/media";
 * const media = openMedia();
 * const frames = { width: 96, height: 64, count: 3, data: new Uint8Array(96 * 64 * 3 * 3) };
 * const { bytes } = await media.encodeChunk(frames, { fps: 24, firstFrame: 0, container: "mp4" });
 * const read = await readVideoFrames(bytes, [0, 2]);
 * if (read.ok) console.assert(read.frames.count === 2);
 * await media.close();
 * ```
 *
 * @param indices Which frames, ascending; 0 is the first of the file.
 * @throws {RangeError} when the file has fewer frames.
 * @throws {Error} when it has no H.264 track, or cannot be decoded.
 */
export async function readVideoFrames(video: Uint8Array, indices: readonly number[]): Promise<VideoFrames> {
  const media = openMedia();
  try {
    return await media.readVideoFrames(video, indices);
  } finally {
    await media.close();
  }
}
