/**
 * Describes a file that is not sound.
 *
 * @module
 */
import { imageFormat, unsupportedFormat } from "../../images/image_format.ts";
import { letters } from "./chunked_file.ts";

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
