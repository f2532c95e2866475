/**
 * What the H.264 encoders share, and their names; no encoder is loaded.
 *
 * @module
 */
import type { I420Frames } from "./i420.ts";

/** One coded frame. */
export interface H264Packet {
  /** NAL units, each prefixed by its length in four bytes. */
  readonly data: Uint8Array;
  readonly type: "key" | "delta";
}

/** Coded frames in display order. */
export interface H264Stream {
  /** Decoder configuration with the `avcC` record as its description. */
  readonly config: VideoDecoderConfig;
  readonly packets: readonly H264Packet[];
}

/** Options of an encoder besides the frames. */
export interface H264Options {
  readonly fps: number;
  /** Bits per second; by default the encoder uses {@link defaultBitrate} or a fixed quantizer. */
  readonly bitrate?: number;
}

/** Encodes frames as H.264: one packet per frame, the first a key frame, no reordering. */
export interface H264Encoder {
  readonly name: string;
  encode(frames: I420Frames, options: H264Options): Promise<H264Stream>;
}

/** No encoder is available, or one has failed. */
export class EncoderError extends Error {
  /** Always `EncoderError`. */
  override name = "EncoderError";
}

/**
 * Bits per second at which an encoder with rate control shows no artifacts: 12 Mbit/s at 1280x704 and 24 frames per
 * second, elsewhere in proportion to (pixels per second)^0.75, since small images have more detail per pixel. The floor
 * of 0.5 Mbit/s is for the smallest, where headers and key frames would use up the bits; frames of 192x128
 * are above 52 dB at their 0.6 Mbit/s.
 */
export function defaultBitrate(width: number, height: number, fps: number): number {
  const share = width * height * fps / (1280 * 704 * 24);
  return Math.round(Math.max(0.5e6, 12e6 * share ** 0.75));
}

/**
 * Quantizer (0 to 51) of the encoders that support one: 16 gives 45 dB and more on noise, and artifacts become visible
 * only above about 22.
 */
export const DEFAULT_QUANTIZER = 16;

/** Encoders by name, in the order in which they are tried. */
export const ENCODER_NAMES = ["webcodecs", "napi-webcodecs", "ffmpeg", "wasm"] as const;

/** Name of an encoder. */
export type EncoderName = typeof ENCODER_NAMES[number];
