/**
 * The headers of a Vorbis stream.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";

/** The three packets before the sound. */
export interface VorbisHeaders {
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
  if (bytes === undefined || bytes[0] !== 2) throw damaged("its three headers are missing");
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
      throw damaged("its three headers are not whole");
    }
  }
  if (identification.length < 30 || setup.length > MAX_SETUP) throw damaged("its three headers are not whole");
  return { identification, comments, setup };
}

/** What the decoder takes. */
const MAX_SETUP = 128 * 1024;

function damaged(what: string): SvcError {
  return new SvcError("audio_damaged", `Cannot decode the Vorbis sound: ${what}, expected a whole file`);
}
