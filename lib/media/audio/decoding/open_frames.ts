/**
 * Frames without a container, or in one that the decoder reads itself: MP3 files, and FLAC in Ogg.
 *
 * @module
 */
import type { AudioBlock, AudioSource, OpenedAudio } from "../audio_source.ts";
import { DamageCount } from "./packet_decoder.ts";
import { blocksOf, type Decoded, release } from "./wasm_packets.ts";

/** Bytes that are read at once. */
const PART = 64 * 1024;

/**
 * Opens MPEG audio (layers I to III) without a container; tags before and after it are skipped, and the
 * silence that an encoder has put before the sound is left out.
 *
 * @param duration As far as it is known.
 */
export function openMpeg(source: AudioSource, format: string, duration: number | undefined): OpenedAudio {
  return openFrames(source, format, duration, async () => {
    const { MPEGDecoder } = await import("mpg123-decoder");
    const decoder = new MPEGDecoder();
    await decoder.ready;
    return { decode: (part) => decoder.decode(part), free: () => decoder.free() };
  });
}

/** Opens an Ogg file that holds FLAC. */
export function openOggFlac(source: AudioSource): OpenedAudio {
  return openFrames(source, "Ogg (FLAC)", undefined, async () => {
    const { FLACDecoder } = await import("@wasm-audio-decoders/flac");
    const decoder = new FLACDecoder();
    await decoder.ready;
    return {
      decode: (part) => decoder.decode(part.slice()),
      flush: () => decoder.flush(),
      free: () => decoder.free(),
    };
  });
}

/** Finds frames in the bytes of a file. */
interface FrameDecoder {
  decode(part: Uint8Array): Decoded | Promise<Decoded>;
  /** What it has kept back. */
  flush?(): Promise<Decoded>;
  free(): void;
}

function openFrames(
  source: AudioSource,
  format: string,
  duration: number | undefined,
  load: () => Promise<FrameDecoder>,
): OpenedAudio {
  return {
    format,
    duration,
    async *blocks(): AsyncGenerator<AudioBlock> {
      const decoder = await load();
      const damage = new DamageCount(format);
      try {
        for (let at = 0; at < source.size; at += PART) {
          const decoded = await decoder.decode(await source.read(at, PART));
          damage.add(decoded.errors.length);
          yield* blocksOf(decoded);
        }
        if (decoder.flush) yield* blocksOf(await decoder.flush());
      } finally {
        release(decoder);
      }
    },
  };
}
