/**
 * What the encoders have in common.
 *
 * @module
 */
import type { I420Frames } from "./i420.ts";

/** One coded picture. */
export interface H264Packet {
  /** NAL units, each behind its length in four bytes. */
  readonly data: Uint8Array;
  readonly type: "key" | "delta";
}

/** Coded pictures in the order in which they are shown. */
export interface H264Stream {
  /** Decoder configuration with the `avcC` record as its description. */
  readonly config: VideoDecoderConfig;
  readonly packets: readonly H264Packet[];
}

/** What an encoder is told besides the pictures. */
export interface H264Options {
  readonly fps: number;
  /** Bits a second; an encoder without this chooses its quality by {@link defaultBitrate} or a fixed quantizer. */
  readonly bitrate?: number;
}

/** Something that turns pictures into H.264: one packet a picture, the first a key frame, no reordering. */
export interface H264Encoder {
  readonly name: string;
  encode(frames: I420Frames, options: H264Options): Promise<H264Stream>;
}

/** No encoder can be had, or one has failed. */
export class EncoderError extends Error {
  /** Always `EncoderError`. */
  override name = "EncoderError";
}

/**
 * Bits a second at which an encoder with rate control leaves nothing to see: 12 Mbit/s at 1280x704 and 24 frames a
 * second, elsewhere in proportion to (pixels a second)^0.75, since small pictures have more detail a pixel. The floor
 * of 1.5 Mbit/s gives 96x64 some 10 bits a pixel, above 50 dB: there, headers and key frames would starve the rest.
 */
export function defaultBitrate(width: number, height: number, fps: number): number {
  const share = width * height * fps / (1280 * 704 * 24);
  return Math.round(Math.max(1.5e6, 12e6 * share ** 0.75));
}

/**
 * Quantizer (0 to 51) of the encoders that can be told one: 16 measures 45 dB and more on noise, and artefacts become
 * visible only above 22 or so.
 */
export const DEFAULT_QUANTIZER = 16;
