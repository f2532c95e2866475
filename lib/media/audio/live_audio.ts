/**
 * Sound on its way in and out of a conversation: bytes of a format without a header.
 *
 * @module
 */
import { pcmLayout, readPcm } from "./decoding/open_pcm.ts";
import { pcm16 } from "./encoding/pcm_encoder.ts";

/** How samples are written: 16 bits little-endian, or one of the laws of telephony (ITU-T G.711). */
export type LiveEncoding = "s16" | "ulaw" | "alaw";

/** Bytes of a sample. */
export function liveSampleBytes(encoding: LiveEncoding): number {
  return encoding === "s16" ? 2 : 1;
}

/** Samples of one channel; 1 is full scale. */
export function readLive(bytes: Uint8Array, encoding: LiveEncoding): Float32Array<ArrayBuffer> {
  return readPcm(bytes, pcmLayout(encoding, true, 1))[0];
}

/** Bytes of samples of one channel. */
export function writeLive(samples: Float32Array, encoding: LiveEncoding): Uint8Array<ArrayBuffer> {
  const linear = pcm16(samples);
  if (encoding === "s16") return linear;
  const view = new DataView(linear.buffer);
  const code = encoding === "ulaw" ? muLawCode : aLawCode;
  return Uint8Array.from({ length: samples.length }, (_, i) => code(view.getInt16(2 * i, true)));
}

const BIAS = 0x84;
const CLIP = 32_635;

function muLawCode(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), CLIP) + BIAS;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

function aLawCode(sample: number): number {
  const magnitude = (sample < 0 ? -sample - 1 : sample) >> 4;
  const exponent = magnitude < 16 ? 0 : 28 - Math.clz32(magnitude);
  const mantissa = (magnitude >> Math.max(0, exponent - 1)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}
