/**
 * Formats of sound by their contents.
 *
 * @module
 */
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

/** Bytes from the start of a file, or of what stands behind a tag, that {@link soundFormat} looks at. */
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

/** Formats that have no header: frames, each with its own, one behind the other. */
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
export function mpegFrame(bytes: Uint8Array): number | undefined {
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
