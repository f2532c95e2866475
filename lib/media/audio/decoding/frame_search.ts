/**
 * Formats that have no header: frames, each with its own, one after the other. A stream or a file that was cut by bytes
 * begins within a frame.
 *
 * @module
 */
import { letters } from "./chunked_file.ts";

/** Frames that are found, and the bytes before them. */
export interface FoundFrames {
  readonly format: "mpeg" | "adts";
  readonly at: number;
}

/** The length of a frame and what all frames of a stream have in common; undefined where there is no frame. */
type ReadFrame = (bytes: Uint8Array) => { readonly size: number; readonly common: number } | undefined;

/** Bytes in which the first frame is looked for: the longest frames of MPEG audio have 1,728. */
const REACH = 8 * 1024;

/** Frames in a row that cannot be accidental, and those that are enough where the file ends with them. */
const IN_A_ROW = 4;
const AT_END = 3;

/** Frames from the start of a file on, or after the zeros that it begins with. */
export function framesAtStart(head: Uint8Array): FoundFrames | undefined {
  const start = head.findIndex((byte) => byte !== 0);
  if (start < 0) return undefined;
  const frames = (read: ReadFrame): boolean => {
    let at = start;
    for (let count = 0; count < 3; count++) {
      const frame = read(head.subarray(at));
      // A frame that ends the file, or goes beyond what was read, cannot be checked further.
      if (frame === undefined) return count > 0 && at >= head.length - 4;
      at += frame.size;
    }
    return true;
  };
  if (frames(mpegFrame)) return { format: "mpeg", at: start };
  return frames(adtsFrame) ? { format: "adts", at: start } : undefined;
}

/**
 * Looks for several frames in a row after bytes that are not frames.
 *
 * @param whole Whether the file ends with these bytes.
 */
export function findFrames(head: Uint8Array, whole: boolean): FoundFrames | undefined {
  for (let at = 0; at < Math.min(REACH, head.length - 3); at++) {
    if (head[at] !== 0xff) continue;
    if (inARow(head, at, whole, mpegFrame)) return { format: "mpeg", at };
    if (inARow(head, at, whole, adtsFrame)) return { format: "adts", at };
  }
  return undefined;
}

function inARow(head: Uint8Array, from: number, whole: boolean, read: ReadFrame): boolean {
  let common: number | undefined;
  for (let [at, count] = [from, 0]; count < IN_A_ROW; count++) {
    if (whole && count >= AT_END && (at >= head.length - 3 || isTag(head.subarray(at, at + 8)))) return true;
    const frame = read(head.subarray(at));
    if (frame === undefined || (common ??= frame.common) !== frame.common) return false;
    at += frame.size;
  }
  return true;
}

/** Tags at the end of a file. */
function isTag(bytes: Uint8Array): boolean {
  return /^(TAG|APETAGEX|LYRICSBE)/.test(letters(bytes));
}

const mpegKbits: Readonly<Record<string, readonly number[]>> = {
  "1.1": [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1.2": [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1.3": [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2.1": [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2.2": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2.3": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** An MPEG audio frame (ISO 11172-3, 13818-3) by its header; frames of a free rate do not say where they end. */
function mpegFrame(bytes: Uint8Array): ReturnType<ReadFrame> {
  if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1] & 0xe0) !== 0xe0) return undefined;
  const version = (bytes[1] >> 3) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = 4 - ((bytes[1] >> 1) & 3);
  const rateIndex = (bytes[2] >> 2) & 3;
  if (version === 1 || layer === 4 || rateIndex === 3) return undefined;
  const kbits = mpegKbits[`${version === 3 ? 1 : 2}.${layer}`][bytes[2] >> 4];
  if (!kbits) return undefined;
  const rate = [44_100, 48_000, 32_000][rateIndex] / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (bytes[2] >> 1) & 1;
  const common = (version * 4 + layer) * 4 + rateIndex;
  if (layer === 1) return { size: (Math.floor(12_000 * kbits / rate) + padding) * 4, common };
  const samples = layer === 3 && version !== 3 ? 72 : 144;
  return { size: Math.floor(samples * 1000 * kbits / rate) + padding, common };
}

/** An AAC frame in an ADTS stream (ISO 13818-7) by its header. */
function adtsFrame(bytes: Uint8Array): ReturnType<ReadFrame> {
  if (bytes.length < 7 || bytes[0] !== 0xff || (bytes[1] & 0xf6) !== 0xf0) return undefined;
  const rateIndex = (bytes[2] >> 2) & 15;
  const size = ((bytes[3] & 3) << 11) | (bytes[4] << 3) | (bytes[5] >> 5);
  return rateIndex > 12 || size < 7 ? undefined : { size, common: (bytes[1] << 8) | (bytes[2] & 0xfd) };
}
