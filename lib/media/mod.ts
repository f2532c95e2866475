/**
 * Frames to video, pictures in and out, sound files to samples.
 *
 * @example
 * ```ts
 * import { contactSheet, encodePng, frameAt } from "@svc/sdk/media";
 * const frames = { width: 8, height: 8, count: 4, data: new Uint8Array(8 * 8 * 3 * 4) };
 * const sheet = contactSheet([0, 1, 2, 3].map((i) => frameAt(frames, i)), { columns: 2, scale: 2 });
 * const png = await encodePng(sheet);
 * console.assert(png.length > 0);
 * ```
 *
 * @module
 */
export * from "./audio/audio_error.ts";
export * from "./audio/audio_source.ts";
export * from "./audio/decode_audio.ts";
export { Resampler } from "./audio/resampler.ts";
export type { ChunkOptions, EncodedChunk } from "./video/chunk_encoder.ts";
export * from "./images/contact_sheet.ts";
export { decodeImage } from "./images/decode_image.ts";
export * from "./images/image_limits.ts";
export { EncoderError } from "./video/h264.ts";
export * from "./images/image_format.ts";
export { joinChunks } from "./video/join_chunks.ts";
export type { Media } from "./video/media.ts";
export { openMedia, type OpenMediaOptions } from "./video/open_media.ts";
export { encodePng } from "./images/png.ts";
export { readVideoFrames, type VideoFrames } from "./video/read_video_frames.ts";
export { resizeImage, type ResizeKernel } from "./images/resize_image.ts";
export { frameAt, type RgbFrames, type RgbImage } from "./images/rgb_image.ts";
