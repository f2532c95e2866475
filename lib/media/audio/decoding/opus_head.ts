/**
 * The header of an Opus stream.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";

/** What a decoder has to know of a stream. */
export interface OpusHead {
  readonly channels: number;
  /** Samples at 48 kHz that come before the sound. */
  readonly preSkip: number;
  readonly streamCount?: number;
  readonly coupledStreamCount?: number;
  readonly channelMappingTable?: number[];
}

/** More takes the decoder's buffers beyond what they hold. */
const MAX_OPUS_CHANNELS = 32;

/**
 * Reads an `OpusHead` (RFC 7845, section 5.1).
 *
 * @throws {SvcError} `audio_damaged` if it is not one.
 */
export function readOpusHead(bytes: Uint8Array): OpusHead {
  if (bytes.length < 19) throw damaged(`its header has ${bytes.length} bytes, expected at least 19`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = bytes[9];
  const preSkip = view.getUint16(10, true);
  if (channels < 1 || channels > MAX_OPUS_CHANNELS) {
    throw damaged(`it has ${channels} channels, expected 1 to ${MAX_OPUS_CHANNELS}`);
  }
  if (bytes[18] === 0) {
    if (channels <= 2) return { channels, preSkip };
    throw damaged(`it has ${channels} channels without saying where they are, expected 1 or 2`);
  }
  const channelMappingTable = [...bytes.subarray(21, 21 + channels)];
  const [streamCount, coupledStreamCount] = [bytes[19], bytes[20]];
  const decoded = streamCount + coupledStreamCount;
  if (
    channelMappingTable.length < channels || streamCount < 1 || coupledStreamCount > streamCount || decoded > 255 ||
    channelMappingTable.some((stream) => stream !== 255 && stream >= decoded)
  ) throw damaged("the table of its channels is not whole");
  return { channels, preSkip, streamCount, coupledStreamCount, channelMappingTable };
}

function damaged(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot decode the Opus sound: ${what}`);
}
