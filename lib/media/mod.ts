/**
 * Images and video: decode, resize, encode.
 *
 * @example
 * ```ts
 * import { encodePng, frameAt } from "@svc/sdk/media";
 * const frames = { width: 8, height: 8, count: 4, data: new Uint8Array(8 * 8 * 3 * 4) };
 * const png = await encodePng(frameAt(frames, 3));
 * console.assert(png.length > 0);
 * ```
 *
 * @module
 */
export { decodeImage } from "./images/decode_image.ts";
export type { ChunkOptions, EncodedChunk, Media, VideoFrames } from "./video/media.ts";
export { openMedia, type OpenMediaOptions } from "./video/open_media.ts";
export { encodePng } from "./images/png.ts";
export { readVideoFrames } from "./video/read_video_frames.ts";
export { resizeImage } from "./images/resize_image.ts";
export { frameAt, type RgbFrames, type RgbImage } from "./images/rgb_image.ts";
