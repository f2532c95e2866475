/**
 * Sound files to samples.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import type { AudioSource } from "./audio_source.ts";
import { openAudio } from "./decoding/open_audio.ts";
import { checkSound } from "./decoding/open_pcm.ts";
import { Resampler } from "./resampler.ts";

/** What is wanted of a sound file. */
interface DecodeAudioOptions {
  /** Samples a second that come out. */
  readonly sampleRate: number;
  /** Longer sound is refused; {@linkcode MAX_AUDIO_SECONDS} when left out. */
  readonly maxSeconds?: number;
}

/** A sound file as one channel of samples. */
interface DecodedAudio {
  /** What the file is, for people, such as `WAV (16-bit PCM)`. */
  readonly format: string;
  /** Seconds by its header, which may be wrong; undefined where it does not say. */
  readonly duration: number | undefined;
  /**
   * Samples, decoded while they are read, once; 1 is full scale. No more than a few seconds are held at a time.
   *
   * @throws {SvcError} `audio_damaged` or `audio_too_long` while they are read.
   */
  readonly samples: AsyncIterable<Float32Array<ArrayBuffer>>;
}

/** Longest sound by default: 12 hours. */
const MAX_AUDIO_SECONDS: number = 12 * 3600;

/** No codec of speech takes less; a header that says so is wrong. */
const MIN_BYTES_A_SECOND = 50;

/**
 * Decodes a sound file of any format to one channel: the mean of its channels, resampled.
 *
 * @throws {SvcError} if it is not sound, damaged, too long by its header, or needs a decoder that is not installed;
 * `code` says which.
 */
export async function decodeAudio(source: AudioSource, options: DecodeAudioOptions): Promise<DecodedAudio> {
  const { sampleRate, maxSeconds = MAX_AUDIO_SECONDS } = options;
  const { format, duration, blocks } = await openAudio(source);
  const believed = duration !== undefined && source.size > duration * MIN_BYTES_A_SECOND;
  if (believed && duration > maxSeconds + 1) throw tooLong(format, duration, maxSeconds);
  const decode = async function* (): AsyncGenerator<Float32Array<ArrayBuffer>> {
    let resampler: Resampler | undefined;
    let rate = 0;
    let seconds = 0;
    for await (const { sampleRate: from, channels } of blocks()) {
      if (resampler === undefined || from !== rate) {
        // Files that were put together can change their rate.
        checkSound(format, channels.length, from);
        const rest = resampler?.flush();
        if (rest?.length) yield rest;
        resampler = new Resampler(from, sampleRate);
        rate = from;
      }
      seconds += channels[0].length / from;
      if (seconds > maxSeconds + 1) throw tooLong(format, seconds, maxSeconds);
      const samples = resampler.push(mixDown(channels));
      if (samples.length > 0) yield samples;
    }
    const rest = resampler?.flush();
    if (rest?.length) yield rest;
  };
  return { format, duration, samples: decode() };
}

function tooLong(format: string, seconds: number, max: number): SvcError {
  return new SvcError(
    "audio_too_long",
    `Cannot read the sound, ${format}: it lasts ${
      Math.ceil(seconds)
    } s or more, expected at most ${max} s; cut it into parts`,
  );
}

/**
 * The mean of all channels, within -1 to 1. What is not a number counts as silence, what is too loud is clipped as
 * 16-bit samples would be.
 */
function mixDown(channels: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const [first] = channels;
  const mono = new Float32Array(first?.length ?? 0);
  for (let i = 0; i < mono.length; i++) {
    let sum = 0;
    for (const channel of channels) sum += Number.isNaN(channel[i]) ? 0 : Math.max(-1, Math.min(channel[i], 1));
    mono[i] = sum / channels.length;
  }
  return mono;
}
