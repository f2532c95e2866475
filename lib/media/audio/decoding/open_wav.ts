/**
 * WAV files.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioSource, OpenedAudio } from "../audio_source.ts";
import { letters, readChunks } from "./chunked_file.ts";
import { openMpeg } from "./open_frames.ts";
import { openPcm, type PcmEncoding, pcmLayout } from "./open_pcm.ts";

/**
 * Opens a WAV file, RF64 and BW64 included: integers of 8, 16, 24 and 32 bits, floats of 32 and 64 bits, A-law, μ-law
 * and MP3, in the plain and in the extensible form. Samples whose size the writer left open or never came back to
 * write, extend to the end of the file.
 *
 * @returns Undefined for other encodings, such as ADPCM.
 * @throws {SvcError} `audio_damaged` when there is no usable header.
 */
export async function openWav(source: AudioSource): Promise<OpenedAudio | undefined> {
  const head = await source.read(0, 12);
  const wide = letters(head.subarray(0, 4)) !== "RIFF";
  let format: WavFormat | undefined;
  let wideSize: number | undefined;
  /** Start of an empty data chunk. */
  let empty: number | undefined;
  for await (const chunk of readChunks(source, { from: 12, littleEndian: true, format: "WAV" })) {
    if (chunk.id === "fmt ") format = readFormat(await source.read(chunk.start, Math.min(chunk.size, 40)));
    if (chunk.id === "ds64") wideSize = readWideSize(await source.read(chunk.start, 16));
    if (chunk.id !== "data") continue;
    if (format === undefined) throw damaged('its samples come before the chunk "fmt "');
    const rest = Math.max(source.size - chunk.start, 0);
    const size = chunk.size === UNKNOWN && wide && wideSize !== undefined ? wideSize : chunk.size;
    if (size === 0 && rest > 0 && await endsInChunks(source, chunk.start)) {
      empty = chunk.start;
      continue;
    }
    return openSamples(source, format, chunk.start, size === 0 || size === UNKNOWN ? rest : Math.min(size, rest));
  }
  if (format !== undefined && empty !== undefined) return openSamples(source, format, empty, 0);
  throw damaged(format === undefined ? "it has no format and no samples" : "it has no samples");
}

/** A size that was not known when it was written. */
const UNKNOWN = 0xffffffff;

/** Formats by their numbers in the registry of Microsoft. */
const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const MP2 = 0x50;
const MP3 = 0x55;
const EXTENSIBLE = 0xfffe;

interface WavFormat {
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly frameBytes: number;
  readonly bits: number;
}

function readFormat(bytes: Uint8Array): WavFormat {
  if (bytes.length < 16) throw damaged(`its format takes ${bytes.length} bytes, expected at least 16`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = view.getUint16(0, true);
  return {
    tag: tag === EXTENSIBLE && bytes.length >= 26 ? view.getUint16(24, true) : tag,
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    frameBytes: view.getUint16(12, true),
    bits: view.getUint16(14, true),
  };
}

function openSamples(source: AudioSource, format: WavFormat, start: number, size: number): OpenedAudio | undefined {
  if (format.tag === MP2 || format.tag === MP3) {
    const part = { size, read: (at: number, length: number) => source.read(start + at, Math.min(length, size - at)) };
    return openMpeg(part, "WAV (MP3)", undefined);
  }
  const { channels, sampleRate, frameBytes } = format;
  // Samples of 12 or 20 bits are written in whole bytes, at their upper end.
  const bits = frameBytes > 0 && channels > 0 && frameBytes % channels === 0
    ? frameBytes / channels * 8
    : Math.ceil(format.bits / 8) * 8;
  const found = encodingOf(format.tag, bits);
  if (found === undefined) return undefined;
  const [encoding, name] = found;
  const layout = pcmLayout(encoding, true, channels);
  return openPcm(source, { format: `WAV (${name})`, layout, sampleRate, start, size });
}

function encodingOf(tag: number, bits: number): [PcmEncoding, string] | undefined {
  const integers: Readonly<Record<number, PcmEncoding>> = { 8: "u8", 16: "s16", 24: "s24", 32: "s32" };
  const floats: Readonly<Record<number, PcmEncoding>> = { 32: "f32", 64: "f64" };
  if (tag === PCM && bits in integers) return [integers[bits], `${bits}-bit PCM`];
  if (tag === FLOAT && bits in floats) return [floats[bits], `${bits}-bit float`];
  if (tag === A_LAW && bits === 8) return ["alaw", "A-law"];
  return tag === MU_LAW && bits === 8 ? ["ulaw", "μ-law"] : undefined;
}

/**
 * Whether nothing but whole chunks follows: then a data chunk of size 0 is empty; otherwise its size was never written.
 */
async function endsInChunks(source: AudioSource, from: number): Promise<boolean> {
  for await (const { id, start, size } of readChunks(source, { from, littleEndian: true, format: "WAV" })) {
    if (!/^[ -~]{4}$/.test(id) || start + size > source.size) return false;
    if (source.size - start - size <= 1) return true;
  }
  return false;
}

function readWideSize(bytes: Uint8Array): number | undefined {
  if (bytes.length < 16) return undefined;
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(8, true));
}

function damaged(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot read the WAV file: ${what}, expected a format and samples`);
}
