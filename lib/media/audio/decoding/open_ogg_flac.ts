/**
 * FLAC in Ogg files.
 *
 * @module
 */
import type { AudioBlock, OpenedAudio } from "../audio_blocks.ts";
import type { AudioSource } from "../audio_source.ts";
import { DamageCount } from "./packet_decoder.ts";
import { release } from "./wasm_packets.ts";

/** Bytes that are read at once. */
const PART = 64 * 1024;

/** Opens an Ogg file that holds FLAC. */
export function openOggFlac(source: AudioSource): OpenedAudio {
  const format = "Ogg (FLAC)";
  return {
    format,
    duration: undefined,
    async *blocks(): AsyncGenerator<AudioBlock> {
      const { FLACDecoder } = await import("@wasm-audio-decoders/flac");
      const decoder = new FLACDecoder();
      await decoder.ready;
      const damage = new DamageCount(format);
      try {
        for (let at = 0; at < source.size; at += PART) {
          const part = (await source.read(at, PART)).slice();
          const { channelData, samplesDecoded, sampleRate, errors } = await decoder.decode(part);
          damage.add(errors.length);
          if (samplesDecoded > 0) yield { sampleRate, channels: channelData };
        }
        const { channelData, samplesDecoded, sampleRate } = await decoder.flush();
        if (samplesDecoded > 0) yield { sampleRate, channels: channelData };
      } finally {
        release(decoder);
      }
    },
  };
}
