/**
 * AIFF files.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioSource, OpenedAudio } from "../audio_source.ts";
import { type Chunk, letters, readChunks } from "./chunked_file.ts";
import { openPcm, type PcmEncoding, pcmLayout } from "./open_pcm.ts";

/**
 * Opens an AIFF or AIFF-C file: integers of 1 to 32 bits, floats, A-law and μ-law.
 *
 * @returns Undefined for compressed ones.
 * @throws {SvcError} `audio_damaged` when there is no usable header.
 */
export async function openAiff(source: AudioSource): Promise<OpenedAudio | undefined> {
  let common: Common | undefined;
  let sound: Chunk | undefined;
  for await (const chunk of readChunks(source, { from: 12, littleEndian: false, format: "AIFF" })) {
    if (chunk.id === "COMM") common = readCommon(await source.read(chunk.start, Math.min(chunk.size, 22)));
    if (chunk.id === "SSND") sound = chunk;
    if (common !== undefined && sound !== undefined) break;
  }
  if (common === undefined || sound === undefined) {
    throw damaged(common === undefined ? 'it has no chunk "COMM"' : 'it has no chunk "SSND"');
  }
  const found = encodingOf(common);
  if (found === undefined) return undefined;
  const [encoding, littleEndian] = found;
  const layout = pcmLayout(encoding, littleEndian, common.channels);
  const [offset = 0] = await source.read(sound.start, 4).then(bigEndian);
  const start = sound.start + 8 + offset;
  // Sizes of 0 were never written where there are samples.
  const there = sound.size === 0 ? source.size - start : Math.min(sound.size - 8 - offset, source.size - start);
  const said = common.frames === 0 ? there : common.frames * layout.frameBytes;
  const size = Math.max(Math.min(there, said), 0);
  return openPcm(source, {
    format: `AIFF (${common.bits}-bit)`,
    layout,
    sampleRate: Math.round(common.sampleRate),
    start,
    size,
  });
}

interface Common {
  readonly channels: number;
  readonly frames: number;
  readonly bits: number;
  readonly sampleRate: number;
  readonly compression: string;
}

function readCommon(bytes: Uint8Array): Common {
  if (bytes.length < 18) throw damaged(`its chunk "COMM" has ${bytes.length} bytes, expected at least 18`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    channels: view.getUint16(0),
    frames: view.getUint32(2),
    bits: view.getUint16(6),
    sampleRate: extendedFloat(view, 8),
    compression: bytes.length >= 22 ? letters(bytes.subarray(18, 22)) : "NONE",
  };
}

/** The 80-bit float of the IEEE: sign and exponent, then 64 bits with the leading one. */
function extendedFloat(view: DataView, at: number): number {
  const exponent = view.getUint16(at) & 0x7fff;
  return Number(view.getBigUint64(at + 2)) * 2 ** (exponent - 16_383 - 63);
}

function encodingOf({ compression, bits }: Common): [PcmEncoding, littleEndian: boolean] | undefined {
  const integers: readonly PcmEncoding[] = ["s8", "s16", "s24", "s32"];
  const integer = integers[Math.ceil(bits / 8) - 1];
  switch (compression) {
    case "NONE":
    case "twos":
      return integer && [integer, false];
    case "sowt":
      return integer && [integer, true];
    case "fl32":
    case "FL32":
      return ["f32", false];
    case "fl64":
    case "FL64":
      return ["f64", false];
    case "alaw":
    case "ALAW":
      return ["alaw", false];
    case "ulaw":
    case "ULAW":
      return ["ulaw", false];
  }
  return undefined;
}

function bigEndian(bytes: Uint8Array): number[] {
  return bytes.length < 4 ? [] : [new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)];
}

function damaged(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot read the AIFF file: ${what}, expected a format and samples`);
}
