/**
 * MP3 files.
 *
 * @module
 */
import type { AudioBlock, OpenedAudio } from "../audio_blocks.ts";
import type { AudioSource } from "../audio_source.ts";
import { DamageCount } from "./packet_decoder.ts";
import { release } from "./wasm_packets.ts";

/** Bytes that are read at once. */
const PART = 64 * 1024;

/**
 * Opens MPEG audio (layers I to III) without a container; tags before and after it are skipped, and the
 * silence that an encoder has put before the sound is left out.
 *
 * @param duration As far as it is known.
 */
export function openMpeg(source: AudioSource, format: string, duration: number | undefined): OpenedAudio {
  return {
    format,
    duration,
    async *blocks(): AsyncGenerator<AudioBlock> {
      const { MPEGDecoder } = await import("mpg123-decoder");
      const decoder = new MPEGDecoder();
      await decoder.ready;
      const damage = new DamageCount(format);
      try {
        for (let at = 0; at < source.size; at += PART) {
          const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(await source.read(at, PART));
          damage.add(errors.length);
          if (samplesDecoded > 0) yield { sampleRate, channels: channelData };
        }
      } finally {
        release(decoder);
      }
    },
  };
}
