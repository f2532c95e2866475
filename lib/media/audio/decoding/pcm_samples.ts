/**
 * Samples that are not compressed.
 *
 * @module
 */

/** How a sample is written. */
export type PcmEncoding = "u8" | "s8" | "s16" | "s24" | "s32" | "f32" | "f64" | "ulaw" | "alaw";

/** Samples of all channels, one behind the other. */
export interface PcmLayout {
  readonly encoding: PcmEncoding;
  readonly littleEndian: boolean;
  readonly channels: number;
  /** From one point in time to the next: at least the samples of all channels. */
  readonly frameBytes: number;
}

/** Most channels that are taken; containers can name 65,535. */
export const MAX_CHANNELS = 64;

const sampleBytes: Readonly<Record<PcmEncoding, number>> = {
  u8: 1,
  s8: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
  ulaw: 1,
  alaw: 1,
};

/** The layout without gaps. */
export function pcmLayout(encoding: PcmEncoding, littleEndian: boolean, channels: number): PcmLayout {
  return { encoding, littleEndian, channels, frameBytes: channels * sampleBytes[encoding] };
}

/** Reads all whole frames of some bytes: one array a channel. */
export function readPcm(bytes: Uint8Array, layout: PcmLayout): Float32Array<ArrayBuffer>[] {
  const { encoding, littleEndian, channels, frameBytes } = layout;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = readers[encoding];
  const width = sampleBytes[encoding];
  const frames = Math.floor(bytes.length / frameBytes);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let i = 0, at = channel * width; i < frames; i++, at += frameBytes) samples[i] = read(view, at, littleEndian);
    return samples;
  });
}

const readers: Readonly<Record<PcmEncoding, (view: DataView, at: number, littleEndian: boolean) => number>> = {
  u8: (view, at) => (view.getUint8(at) - 128) / 128,
  s8: (view, at) => view.getInt8(at) / 128,
  s16: (view, at, little) => view.getInt16(at, little) / 32_768,
  s24: (view, at, little) => {
    const [low, high] = little ? [0, 2] : [2, 0];
    return ((view.getInt8(at + high) << 16) | (view.getUint8(at + 1) << 8) | view.getUint8(at + low)) / 8_388_608;
  },
  s32: (view, at, little) => view.getInt32(at, little) / 2_147_483_648,
  f32: (view, at, little) => view.getFloat32(at, little),
  f64: (view, at, little) => view.getFloat64(at, little),
  ulaw: (view, at) => muLaw[view.getUint8(at)],
  alaw: (view, at) => aLaw[view.getUint8(at)],
};

/** The companding laws of telephony (ITU-T G.711): sign, three bits of exponent, four of mantissa. */
const muLaw = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return (bits & 0x80 ? -magnitude : magnitude) / 32_768;
});

const aLaw = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const exponent = (bits & 0x70) >> 4;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768;
});
