/**
 * Images and video in the calling thread.
 *
 * @module
 */
import { decodeImage } from "../images/decode_image.ts";
import { encodePng } from "../images/png.ts";
import { decodeVideoFrames } from "./decode_video_frames.ts";
import { type ChunkEncoderOptions, openChunkEncoder } from "./encoders/open_chunk_encoder.ts";
import type { ChunkEncoder, Media } from "./media.ts";
import { joinChunks } from "./mp4.ts";

/** The implementation of {@link Media}, run by the media worker. The encoder is opened on first use. */
export function localMedia(options: ChunkEncoderOptions): Media {
  let opened: Promise<ChunkEncoder> | undefined;
  const encoder = (): Promise<ChunkEncoder> =>
    opened ??= openChunkEncoder(options).catch((error) => {
      opened = undefined; // the next call may find an encoder installed since
      throw error;
    });
  return {
    prepare: async () => (await encoder()).name,
    encodeChunk: async (frames, chunk) => await (await encoder()).encode(frames, chunk),
    joinChunks,
    readVideoFrames: decodeVideoFrames,
    encodePng,
    decodeImage,
    close: async () => await (await opened)?.close(),
  };
}
