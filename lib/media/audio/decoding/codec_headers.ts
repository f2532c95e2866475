/**
 * The headers of Opus and Vorbis streams.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";

/** What a decoder needs from the header of a stream. */
interface OpusHead {
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
  if (bytes.length < 19) throw damagedOpus(`its header has ${bytes.length} bytes, expected at least 19`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = bytes[9];
  const preSkip = view.getUint16(10, true);
  if (channels < 1 || channels > MAX_OPUS_CHANNELS) {
    throw damagedOpus(`it has ${channels} channels, expected 1 to ${MAX_OPUS_CHANNELS}`);
  }
  if (bytes[18] === 0) {
    if (channels <= 2) return { channels, preSkip };
    throw damagedOpus(`it has ${channels} channels without saying where they are, expected 1 or 2`);
  }
  const channelMappingTable = [...bytes.subarray(21, 21 + channels)];
  const [streamCount, coupledStreamCount] = [bytes[19], bytes[20]];
  const decoded = streamCount + coupledStreamCount;
  if (
    channelMappingTable.length < channels || streamCount < 1 || coupledStreamCount > streamCount || decoded > 255 ||
    channelMappingTable.some((stream) => stream !== 255 && stream >= decoded)
  ) throw damagedOpus("the table of its channels is not whole");
  return { channels, preSkip, streamCount, coupledStreamCount, channelMappingTable };
}

function damagedOpus(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot decode the Opus sound: ${what}`);
}

/** The three packets before the sound. */
interface VorbisHeaders {
  readonly identification: Uint8Array;
  readonly comments: Uint8Array;
  readonly setup: Uint8Array;
}

/**
 * Takes the headers apart that containers keep together: their number less one, the lengths of all but the last in bytes of
 * up to 255, then the packets.
 *
 * @throws {SvcError} `audio_damaged` when they are not whole.
 */
export function splitVorbisHeaders(bytes: Uint8Array | undefined): VorbisHeaders {
  if (bytes === undefined || bytes[0] !== 2) throw damagedVorbis("its three headers are missing");
  let at = 1;
  const lengths = [0, 0].map(() => {
    let length = 0;
    while (bytes[at] === 255) length += bytes[at++];
    return length + (bytes[at++] ?? 0);
  });
  const [identification, comments] = lengths.map((length) => bytes.subarray(at, at += length));
  const setup = bytes.subarray(at);
  for (const [kind, packet] of [[1, identification], [3, comments], [5, setup]] as const) {
    if (packet[0] !== kind || String.fromCharCode(...packet.subarray(1, 7)) !== "vorbis") {
      throw damagedVorbis("its three headers are not whole");
    }
  }
  if (identification.length < 30 || setup.length > MAX_SETUP) throw damagedVorbis("its three headers are not whole");
  return { identification, comments, setup };
}

/** What the decoder takes. */
const MAX_SETUP = 128 * 1024;

function damagedVorbis(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot decode the Vorbis sound: ${what}, expected a whole file`);
}
