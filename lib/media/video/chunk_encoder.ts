/**
 * The interface through which frames become video.
 *
 * @module
 */
import type { RgbFrames } from "../images/rgb_image.ts";

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
