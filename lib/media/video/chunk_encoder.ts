/**
 * The port through which frames become video.
 *
 * @module
 */
import type { RgbFrames } from "../images/rgb_image.ts";

/** How a chunk is written. */
export interface ChunkOptions {
  /** Frames a second. */
  readonly fps: number;
  /** Index of the first frame within the job: it is shown at `firstFrame / fps` seconds. */
  readonly firstFrame: number;
  /** `fmp4`: fragmented, to be appended to a browser's media buffer. `mp4`: plain, index in front. */
  readonly container: "fmp4" | "mp4";
  /** Bits a second; default: a quality at which no artefact is seen. */
  readonly bitrate?: number;
}

/** A self-contained MP4 file with one H.264 track that starts with a key frame. */
export interface EncodedChunk {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Codec as media types name it (RFC 6381), such as `avc1.64000a`. */
  readonly codec: string;
  /** How many pictures it holds. */
  readonly frames: number;
  /** Seconds. */
  readonly duration: number;
}

/**
 * Encodes chunks, each by itself: equal frames and options give equal bytes, whatever was encoded before. Pictures with
 * an odd width or height are extended by repeating the last column or row, since H.264 counts pixels in pairs.
 */
export interface ChunkEncoder {
  /** What encodes, such as `ffmpeg`. */
  readonly name: string;
  /** @throws {RangeError} when sizes or options are out of range, {EncoderError} when the encoder fails. */
  encode(frames: RgbFrames, options: ChunkOptions): Promise<EncodedChunk>;
  /** Releases the encoder; a second call does nothing. */
  close(): Promise<void>;
}
