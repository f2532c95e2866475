/**
 * All image and video operations of a server, behind an interface that may live in another thread.
 *
 * @module
 */
import type { ChunkOptions, EncodedChunk } from "./chunk_encoder.ts";
import type { VideoFrames } from "./decode_video_frames.ts";
import type { RgbFrames, RgbImage } from "../images/rgb_image.ts";

/** Image and video operations. Arguments stay usable, results belong to the caller. */
export interface Media {
  /** Opens and warms up the H.264 encoder if necessary; returns its name. */
  prepare(): Promise<string>;
  /** Frames to a self-contained MP4, as `ChunkEncoder.encode`. */
  encodeChunk(frames: RgbFrames, options: ChunkOptions): Promise<EncodedChunk>;
  /** Chunks to one plain MP4, as `joinChunks`. */
  joinChunks(
    chunks: readonly Uint8Array[],
    options: {
      /** Frames per second, of all chunks or of each. */
      readonly fps: number | readonly number[];
      /** Indices of chunks whose first frame repeats the last one of the chunk before. */
      readonly overlaps?: readonly number[];
    },
  ): Promise<EncodedChunk>;
  /** Some frames of an MP4, as the function of this name. */
  readVideoFrames(video: Uint8Array, indices: readonly number[]): Promise<VideoFrames>;
  /** A picture to PNG, as `encodePng`. */
  encodePng(image: RgbImage): Promise<Uint8Array<ArrayBuffer>>;
  /** An image file to pixels, as `decodeImage`. */
  decodeImage(bytes: Uint8Array): Promise<RgbImage>;
  /** Releases everything; a second call does nothing. */
  close(): Promise<void>;
}
