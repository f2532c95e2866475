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
export const SOUND_HEAD: number = 16 * 1024;

/** Bytes of the header of an ID3v2 tag. */
export const ID3_HEADER = 10;

/** Bytes of an ID3v2 tag at the start of a file, its header included; 0 when there is none. */
export function id3Size(head: Uint8Array): number {
  if (head.length < ID3_HEADER || letters(head.subarray(0, 3)) !== "ID3") return 0;
  const size = head.subarray(6, 10).reduce((sum, part) => sum * 128 + (part & 0x7f), 0);
  return ID3_HEADER + size + (head[5] & 0x10 ? ID3_HEADER : 0);
}

/** The first position after an unreadable tag where a file of a format with a signature begins. */
export function findSignature(head: Uint8Array): { readonly format: SoundFormat; readonly at: number } | undefined {
  const found = /RIFF[\s\S]{4}WAVE|FORM[\s\S]{4}AIF[FC]|fLaC|OggS/.exec(new TextDecoder("latin1").decode(head));
  const format = found === null ? undefined : soundFormat(head.subarray(found.index));
  return found === null || format === undefined ? undefined : { format, at: found.index };
}

/** The format of a sound file by its signature, which MPEG audio and ADTS do not have; undefined for other files. */
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
  return head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47 ? "mpeg-ts" : undefined;
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

/** What {@linkcode describeFile} says of a file of an unknown format. */
export const UNKNOWN_FILE = "of no known format";

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
  if (text === undefined) return UNKNOWN_FILE;
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

/** The bytes as text; undefined when they are not text. A character may be cut off at their end. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // deno-lint-ignore no-control-regex
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
