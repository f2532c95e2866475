/**
 * Samples that are not compressed: how they are written, in files and in the packets of containers.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioBlock, AudioSource, OpenedAudio } from "../audio_source.ts";
import { SAMPLE_RATES } from "../resampler.ts";
import type { PacketDecoder, PacketFormat } from "./packet_decoder.ts";

/** Where the samples are, and what they are. */
interface PcmPlace {
  /** What the file is, for people. */
  readonly format: string;
  readonly layout: PcmLayout;
  readonly sampleRate: number;
  readonly start: number;
  /** Bytes; a part of a frame at the end is left out. */
  readonly size: number;
}

/** Points in time that are read at once. */
const BLOCK = 32_768;

/**
 * Opens samples.
 *
 * @throws {SvcError} `audio_damaged` when there are no channels, or the sample rate is invalid.
 */
export function openPcm(source: AudioSource, place: PcmPlace): OpenedAudio {
  const { format, layout, sampleRate, start } = place;
  checkSound(format, layout.channels, sampleRate);
  const frames = Math.floor(place.size / layout.frameBytes);
  return {
    format,
    duration: frames / sampleRate,
    async *blocks(): AsyncGenerator<AudioBlock> {
      for (let at = 0; at < frames; at += BLOCK) {
        const count = Math.min(BLOCK, frames - at);
        const bytes = await source.read(start + at * layout.frameBytes, count * layout.frameBytes);
        yield { sampleRate, channels: readPcm(bytes, layout) };
        if (bytes.length < count * layout.frameBytes) return;
      }
    },
  };
}

/** Reads packets of samples; undefined for a codec that compresses. */
export function pcmPackets(codec: string, { channels, sampleRate }: PacketFormat): PacketDecoder | undefined {
  const [, encoding = codec, big] = /^pcm-([usf]\d+)(be)?$/.exec(codec) ?? [];
  if (!isPcm(encoding)) return undefined;
  const layout = pcmLayout(encoding, big === undefined, channels);
  return {
    decode: (packets) => Promise.resolve(packets.map(({ data }) => ({ sampleRate, channels: readPcm(data, layout) }))),
    flush: () => Promise.resolve([]),
    close: () => {},
  };
}

function isPcm(name: string): name is PcmEncoding {
  return Object.hasOwn(sampleBytes, name);
}

/** @throws {SvcError} `audio_damaged` when no sound has so many channels, or such a sample rate. */
export function checkSound(format: string, channels: number, sampleRate: number): void {
  const fail = (what: string, expected: string) =>
    new SvcError("audio_damaged", `Cannot read the sound, ${format}: ${what}, expected ${expected}`);
  if (!(channels >= 1 && channels <= MAX_CHANNELS)) {
    throw fail(`it has ${channels} channels`, `1 to ${MAX_CHANNELS}`);
  }
  if (!(Number.isSafeInteger(sampleRate) && sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max)) {
    throw fail(`its sample rate is ${sampleRate} Hz`, `${SAMPLE_RATES.min} to ${SAMPLE_RATES.max} Hz`);
  }
}

/** How a sample is written. */
export type PcmEncoding = "u8" | "s8" | "s16" | "s24" | "s32" | "f32" | "f64" | "ulaw" | "alaw";

/** Samples of all channels, one after the other. */
interface PcmLayout {
  readonly encoding: PcmEncoding;
  readonly littleEndian: boolean;
  readonly channels: number;
  /** From one point in time to the next: at least the samples of all channels. */
  readonly frameBytes: number;
}

/** Most channels that are taken; containers can name 65,535. */
const MAX_CHANNELS = 64;

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
