/**
 * Samples that stand in a file as they are.
 *
 * @module
 */
import type { AudioBlock, OpenedAudio } from "../audio_blocks.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioSource } from "../audio_source.ts";
import { MAX_CHANNELS, type PcmLayout, readPcm } from "./pcm_samples.ts";
import { SAMPLE_RATES } from "../resampler.ts";

/** Where the samples are, and what they are. */
export interface PcmPlace {
  /** What the file is, for people. */
  readonly format: string;
  readonly layout: PcmLayout;
  readonly sampleRate: number;
  readonly start: number;
  /** Bytes; a part of a frame at the end is left out. */
  readonly size: number;
}

/** Points in time that are read at once. */
const BLOCK = 32_768;

/**
 * Opens samples.
 *
 * @throws {SvcError} `audio_damaged` when there are no channels, or the sample rate is invalid.
 */
export function openPcm(source: AudioSource, place: PcmPlace): OpenedAudio {
  const { format, layout, sampleRate, start } = place;
  checkSound(format, layout.channels, sampleRate);
  const frames = Math.floor(place.size / layout.frameBytes);
  return {
    format,
    duration: frames / sampleRate,
    async *blocks(): AsyncGenerator<AudioBlock> {
      for (let at = 0; at < frames; at += BLOCK) {
        const count = Math.min(BLOCK, frames - at);
        const bytes = await source.read(start + at * layout.frameBytes, count * layout.frameBytes);
        yield { sampleRate, channels: readPcm(bytes, layout) };
        if (bytes.length < count * layout.frameBytes) return;
      }
    },
  };
}

/** @throws {SvcError} `audio_damaged` when no sound has so many channels, or such a sample rate. */
export function checkSound(format: string, channels: number, sampleRate: number): void {
  const fail = (what: string, expected: string) =>
    new SvcError("audio_damaged", `Cannot read the sound, ${format}: ${what}, expected ${expected}`);
  if (!(channels >= 1 && channels <= MAX_CHANNELS)) {
    throw fail(`it has ${channels} channels`, `1 to ${MAX_CHANNELS}`);
  }
  if (!(Number.isSafeInteger(sampleRate) && sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max)) {
    throw fail(`its sample rate is ${sampleRate} Hz`, `${SAMPLE_RATES.min} to ${SAMPLE_RATES.max} Hz`);
  }
}
