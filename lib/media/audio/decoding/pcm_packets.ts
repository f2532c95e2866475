/**
 * Samples that containers hold as they are.
 *
 * @module
 */
import type { PacketDecoder, PacketFormat } from "./packet_decoder.ts";
import { type PcmEncoding, pcmLayout, readPcm } from "./pcm_samples.ts";

/** Reads packets of samples; undefined for a codec that compresses. */
export function pcmPackets(codec: string, { channels, sampleRate }: PacketFormat): PacketDecoder | undefined {
  const [, encoding = codec, big] = /^pcm-([usf]\d+)(be)?$/.exec(codec) ?? [];
  if (!isPcm(encoding)) return undefined;
  const layout = pcmLayout(encoding, big === undefined, channels);
  return {
    decode: (packets) => Promise.resolve(packets.map(({ data }) => ({ sampleRate, channels: readPcm(data, layout) }))),
    flush: () => Promise.resolve([]),
    close: () => {},
  };
}

function isPcm(name: string): name is PcmEncoding {
  return ["u8", "s8", "s16", "s24", "s32", "f32", "f64", "ulaw", "alaw"].includes(name);
}
