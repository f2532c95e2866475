/**
 * Decoders in WebAssembly, which run everywhere.
 *
 * @module
 */
import type { AudioBlock } from "../audio_source.ts";
import { readOpusHead, splitVorbisHeaders } from "./codec_headers.ts";
import type { DamageCount, PacketDecoder, PacketFormat } from "./packet_decoder.ts";

/** What all of these libraries give. */
export interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
  readonly errors: readonly unknown[];
}

/** Opus packets (RFC 6716), by libopus. */
export async function opusPackets(
  { description, channels }: PacketFormat,
  damage: DamageCount,
): Promise<PacketDecoder> {
  const { OpusDecoder } = await import("opus-decoder");
  const head = description === undefined ? { channels: Math.min(channels, 2) } : readOpusHead(description);
  const decoder = new OpusDecoder({ ...head });
  await decoder.ready;
  return {
    decode: (packets) => run(damage, () => decoder.decodeFrames(packets.map(({ data }) => data.slice()))),
    flush: () => Promise.resolve([]),
    close: () => release(decoder),
  };
}

/** FLAC frames (RFC 9639), by libFLAC. */
export async function flacPackets({ description }: PacketFormat, damage: DamageCount): Promise<PacketDecoder> {
  const { FLACDecoder } = await import("@wasm-audio-decoders/flac");
  const decoder = new FLACDecoder();
  await decoder.ready;
  // Frames may leave the rate and the width of samples to the header of the stream.
  if (description !== undefined) await decoder.decodeFrames([description.slice()]);
  return {
    decode: (packets) => run(damage, () => decoder.decodeFrames(packets.map(({ data }) => data.slice()))),
    flush: () => Promise.resolve([]),
    close: () => release(decoder),
  };
}

/** Vorbis packets, by libvorbis. */
export async function vorbisPackets({ description }: PacketFormat, damage: DamageCount): Promise<PacketDecoder> {
  const { OggVorbisDecoder } = await import("@wasm-audio-decoders/ogg-vorbis");
  const headers = splitVorbisHeaders(description);
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  type Pages = Parameters<typeof decoder.decodeOggPages>[0];
  // The library reads no more of a page than this.
  const page = (data: Uint8Array, frames: readonly Uint8Array[]) => ({
    data,
    codecFrames: frames.map((frame) => ({
      data: frame,
      header: { vorbisComments: headers.comments, vorbisSetup: headers.setup },
    })),
    isLastPage: false,
  });
  await decoder.decodeOggPages([page(headers.identification, [])] as unknown as Pages);
  return {
    decode: (packets) =>
      run(
        damage,
        () => decoder.decodeOggPages([page(new Uint8Array(1), packets.map(({ data }) => data))] as unknown as Pages),
      ),
    flush: () => Promise.resolve([]),
    close: () => release(decoder),
  };
}

/** MPEG audio frames, by mpg123. */
export async function mpegPackets(_format: PacketFormat, damage: DamageCount): Promise<PacketDecoder> {
  const { MPEGDecoder } = await import("mpg123-decoder");
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode: (packets) => run(damage, () => decoder.decodeFrames(packets.map(({ data }) => data))),
    flush: () => Promise.resolve([]),
    close: () => release(decoder),
  };
}

/** A decoder that a damaged file has brought down cannot free anything any more; its memory goes with it. */
export function release(decoder: { free(): void }): void {
  try {
    decoder.free();
  } catch {
    // Nothing is left to be done.
  }
}

/** Samples that were decoded. */
export function blocksOf({ channelData, samplesDecoded, sampleRate }: Decoded): AudioBlock[] {
  return samplesDecoded > 0 ? [{ sampleRate, channels: channelData }] : [];
}

async function run(damage: DamageCount, decode: () => Decoded | Promise<Decoded>): Promise<AudioBlock[]> {
  const decoded = await decode();
  damage.add(decoded.errors.length);
  return blocksOf(decoded);
}
