/**
 * Formats of sound by their contents, and what files are that are not sound.
 *
 * @module
 */
import { imageFormat, unsupportedFormat } from "../../images/image_format.ts";
import { letters } from "./chunked_file.ts";

/** A format that is read without help. */
export type SoundFormat = "wav" | "aiff" | "mpeg" | "flac" | "ogg" | "mp4" | "matroska" | "adts" | "mpeg-ts";

/** Names of formats, for people. */
export const soundNames: Readonly<Record<SoundFormat, string>> = {
  wav: "WAV",
  aiff: "AIFF",
  mpeg: "MP3",
  flac: "FLAC",
  ogg: "Ogg",
  mp4: "MP4",
  matroska: "WebM or Matroska",
  adts: "AAC",
  "mpeg-ts": "MPEG-TS",
};

/** Bytes from the start of a file, or of what follows a tag, that {@link soundFormat} looks at. */
export const SOUND_HEAD = 4096;

/** Bytes of an ID3v2 tag at the start of a file, its header included; 0 when there is none. */
export function id3Size(head: Uint8Array): number {
  if (head.length < 10 || letters(head.subarray(0, 3)) !== "ID3") return 0;
  const size = head.subarray(6, 10).reduce((sum, part) => sum * 128 + (part & 0x7f), 0);
  return 10 + size + (head[5] & 0x10 ? 10 : 0);
}

/** The format of a sound file by its first {@linkcode SOUND_HEAD} bytes; undefined for other files. */
export function soundFormat(head: Uint8Array): SoundFormat | undefined {
  const at = (offset: number, text: string) => letters(head.subarray(offset, offset + text.length)) === text;
  if ((at(0, "RIFF") || at(0, "RF64") || at(0, "BW64")) && at(8, "WAVE")) return "wav";
  if (at(0, "FORM") && (at(8, "AIFF") || at(8, "AIFC"))) return "aiff";
  if (at(0, "fLaC")) return "flac";
  if (at(0, "OggS")) return "ogg";
  if (at(0, "\x1a\x45\xdf\xa3")) return "matroska";
  if (at(4, "ftyp") && !/^avi[fs]|^hei[cfx]|^mif1/.test(letters(head.subarray(8, 12)))) return "mp4";
  // Movies from before MP4 begin with their index or their samples.
  if (["moov", "mdat", "wide"].some((type) => at(4, type))) return "mp4";
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47) return "mpeg-ts";
  return framedFormat(head);
}

/** Formats that have no header: frames, each with its own, one after the other. */
function framedFormat(head: Uint8Array): SoundFormat | undefined {
  const start = head.findIndex((byte) => byte !== 0);
  if (start < 0) return undefined;
  const frames = (length: (bytes: Uint8Array) => number | undefined): boolean => {
    let at = start;
    for (let count = 0; count < 3; count++) {
      const size = length(head.subarray(at));
      // A frame that ends the file, or goes beyond what was read, cannot be checked further.
      if (size === undefined) return count > 0 && at >= head.length - 4;
      at += size;
    }
    return true;
  };
  if (frames(mpegFrame)) return "mpeg";
  return frames(adtsFrame) ? "adts" : undefined;
}

const mpegKbits: Readonly<Record<string, readonly number[]>> = {
  "1.1": [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1.2": [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1.3": [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2.1": [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2.2": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2.3": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Bytes of an MPEG audio frame (ISO 11172-3, 13818-3) by its header; undefined when there is none. */
function mpegFrame(bytes: Uint8Array): number | undefined {
  if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1] & 0xe0) !== 0xe0) return undefined;
  const version = (bytes[1] >> 3) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = 4 - ((bytes[1] >> 1) & 3);
  const rateIndex = (bytes[2] >> 2) & 3;
  if (version === 1 || layer === 4 || rateIndex === 3) return undefined;
  const kbits = mpegKbits[`${version === 3 ? 1 : 2}.${layer}`][bytes[2] >> 4];
  if (!kbits) return undefined;
  const rate = [44_100, 48_000, 32_000][rateIndex] / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (bytes[2] >> 1) & 1;
  if (layer === 1) return (Math.floor(12_000 * kbits / rate) + padding) * 4;
  const samples = layer === 3 && version !== 3 ? 72 : 144;
  return Math.floor(samples * 1000 * kbits / rate) + padding;
}

/** Bytes of an AAC frame in an ADTS stream (ISO 13818-7) by its header; undefined when there is none. */
function adtsFrame(bytes: Uint8Array): number | undefined {
  if (bytes.length < 7 || bytes[0] !== 0xff || (bytes[1] & 0xf6) !== 0xf0) return undefined;
  const rateIndex = (bytes[2] >> 2) & 15;
  const size = ((bytes[3] & 3) << 11) | (bytes[4] << 3) | (bytes[5] >> 5);
  return rateIndex > 12 || size < 7 ? undefined : size;
}

/** A format of sound that only ffmpeg reads. */
export interface ForeignSound {
  /** For people. */
  readonly name: string;
  /** The name of ffmpeg's demuxer: files that it would take for a playlist must not lead it elsewhere. */
  readonly demuxer: string;
}

const foreign: readonly (readonly [signature: string, ForeignSound])[] = [
  ["\x30\x26\xb2\x75\x8e\x66\xcf\x11", { name: "WMA", demuxer: "asf" }],
  ["#!AMR", { name: "AMR", demuxer: "amr" }],
  ["caff", { name: "CAF", demuxer: "caf" }],
  [".snd", { name: "AU", demuxer: "au" }],
  ["riff\x2e\x91\xcf\x11", { name: "Wave64", demuxer: "w64" }],
  ["\x0b\x77", { name: "AC-3", demuxer: "ac3" }],
  ["wvpk", { name: "WavPack", demuxer: "wv" }],
  ["MAC ", { name: "Monkey's Audio", demuxer: "ape" }],
  ["TTA1", { name: "True Audio", demuxer: "tta" }],
  ["DSD ", { name: "DSF", demuxer: "dsf" }],
  ["FLV\x01", { name: "FLV", demuxer: "flv" }],
  ["\x7f\xfe\x80\x01", { name: "DTS", demuxer: "dts" }],
];

/** The format of a sound file that needs ffmpeg; undefined for other files. */
export function foreignSound(head: Uint8Array): ForeignSound | undefined {
  const start = letters(head.subarray(0, 16));
  if (start.startsWith("RIFF") && start.slice(8, 12) === "AVI ") return { name: "AVI", demuxer: "avi" };
  return foreign.find(([signature]) => start.startsWith(signature))?.[1];
}

const known: readonly (readonly [signature: string, name: string])[] = [
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive or an office document"],
  ["\x1f\x8b", "a gzip archive"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
  ["BZh", "a bzip2 archive"],
  ["\xfd7zXZ", "an XZ archive"],
  ["\x28\xb5\x2f\xfd", "a Zstandard archive"],
  ["MThd", "a MIDI file, which holds notes and no sound"],
  ["\x7fELF", "a program"],
  ["MZ", "a program"],
  ["SQLite format 3", "a database"],
  ["GGUF", "a GGUF model"],
  ["\xd0\xcf\x11\xe0", "an office document"],
];

/** What a file is by its first bytes, such as `a PNG image`. */
export function describeFile(head: Uint8Array): string {
  if (head.length === 0) return "empty";
  const image = imageFormat(head);
  if (image !== undefined) return `${image === "avif" ? "an" : "a"} ${imageNames[image]} image`;
  const start = letters(head.subarray(0, 16));
  const unread = unsupportedFormat(head);
  if (unread !== undefined) return `a ${unread} image`;
  const found = known.find(([signature]) => start.startsWith(signature));
  if (found !== undefined) return found[1];
  if (head.every((byte) => byte === 0)) return "nothing but zeros";
  const text = textOf(head);
  if (text === undefined) return "of no known format";
  if (/^\s*(<!doctype html|<html)/i.test(text)) return "an HTML page";
  if (/^\s*<svg|^\s*<\?xml[\s\S]*<svg/i.test(text)) return "an SVG image";
  if (/^\s*<\?xml/i.test(text)) return "an XML document";
  if (/^\s*#EXTM3U/.test(text)) return "a playlist";
  return /^\s*[{[]/.test(text) ? "JSON text" : "text";
}

const imageNames = {
  png: "PNG",
  jpeg: "JPEG",
  webp: "WebP",
  gif: "GIF",
  avif: "AVIF",
  bmp: "BMP",
  tiff: "TIFF",
} as const;

/** The bytes as text; undefined when they are none. A character may be cut off at their end. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // deno-lint-ignore no-control-regex
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
