/**
 * All image and video operations of a server, behind an interface that may live in another thread, and how frames
 * become video.
 *
 * @module
 */
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
  /** An image to PNG, as `encodePng`. */
  encodePng(image: RgbImage): Promise<Uint8Array<ArrayBuffer>>;
  /** An image file to pixels, as `decodeImage`. */
  decodeImage(bytes: Uint8Array): Promise<RgbImage>;
  /** Releases everything; a second call does nothing. */
  close(): Promise<void>;
}

/** Options of a chunk. */
export interface ChunkOptions {
  /** Frame rate. */
  readonly fps: number;
  /** Index of the first frame within the job: it is shown at `firstFrame / fps` seconds. */
  readonly firstFrame: number;
  /** `fmp4`: fragmented, for a browser's media buffer. `mp4`: plain, with the index in front. */
  readonly container: "fmp4" | "mp4";
  /** Bits per second; by default a quality without visible artifacts. */
  readonly bitrate?: number;
}

/** A self-contained MP4 file with one H.264 track that starts with a key frame. */
export interface EncodedChunk {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Codec as media types name it (RFC 6381), such as `avc1.64000a`. */
  readonly codec: string;
  /** Number of frames. */
  readonly frames: number;
  /** Seconds. */
  readonly duration: number;
}

/** The requested frames, or why they are unavailable and the remedy. */
export type VideoFrames =
  | { readonly ok: true; readonly frames: RgbFrames }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/**
 * Encodes chunks independently: equal frames and options give equal bytes, whatever was encoded before. Frames with an
 * odd width or height are extended by repeating the last column or row, since H.264 counts pixels in pairs.
 */
export interface ChunkEncoder {
  /** Name of the encoder, such as `ffmpeg`. */
  readonly name: string;
  /** @throws {RangeError} when sizes or options are out of range, {EncoderError} when the encoder fails. */
  encode(frames: RgbFrames, options: ChunkOptions): Promise<EncodedChunk>;
  /** Releases the encoder; a second call does nothing. */
  close(): Promise<void>;
}
