/**
 * Sound in compressed formats by the encoders of mediabunny, WebAssembly in optional packages.
 *
 * @module
 */
import {
  AdtsOutputFormat,
  AppendOnlyStreamTarget,
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  FlacOutputFormat,
  Mp3OutputFormat,
  Output,
  type OutputFormat,
  Quality,
} from "mediabunny";
import type { AudioEncoder, AudioEncoderOptions } from "./audio_encoder.ts";

/** Formats that mediabunny has encoders for. */
type MediabunnyFormat = "mp3" | "aac" | "flac";

/** Of mono speech. */
const BITRATE = 96_000;

/** The package of each encoder, and what it writes. */
const encoders: Readonly<
  Record<MediabunnyFormat, { readonly name: string; register(): Promise<void>; container(): OutputFormat }>
> = {
  mp3: {
    name: "@mediabunny/mp3-encoder",
    register: async () => (await import("@mediabunny/mp3-encoder")).registerMp3Encoder(),
    // The header with the length would have to be written last.
    container: () => new Mp3OutputFormat({ xingHeader: false }),
  },
  aac: {
    name: "@mediabunny/aac-encoder",
    register: async () => (await import("@mediabunny/aac-encoder")).registerAacEncoder(),
    container: () => new AdtsOutputFormat(),
  },
  flac: {
    name: "@mediabunny/flac-encoder",
    register: async () => (await import("@mediabunny/flac-encoder")).registerFlacEncoder(),
    container: () => new FlacOutputFormat(),
  },
};

/** Seconds of sound that are encoded at once. */
const PART_SECONDS = 0.25;

/** A sample without sound, which mediabunny starts an encoder for and no bytes come from. */
class NoSound extends AudioSample {
  override allocationSize(): number {
    return 0;
  }

  override copyTo(): void {}

  override clone(): this {
    return this;
  }
}

/** Formats whose header says how long they are: they come as a whole at the end. */
const whole = new Set<MediabunnyFormat>(["flac"]);

/** Registering twice would keep two encoders. */
const registered = new Map<MediabunnyFormat, Promise<void>>();

/**
 * Opens an encoder.
 *
 * @throws {Error} when its package is not installed.
 */
export async function mediabunnyEncoder(
  format: MediabunnyFormat,
  { sampleRate, onBytes }: AudioEncoderOptions,
): Promise<AudioEncoder> {
  const { name, register, container } = encoders[format];
  const registering = registered.get(format) ?? register();
  registered.set(format, registering);
  await registering.catch((error) => {
    registered.delete(format);
    throw error;
  });
  const sampleOptions = { format: "f32", numberOfChannels: 1, sampleRate } as const;
  const buffer = new BufferTarget();
  const written = new WritableStream<Uint8Array>({ write: (bytes) => onBytes(bytes.slice()) });
  const output = new Output({
    format: container(),
    target: whole.has(format) ? buffer : new AppendOnlyStreamTarget(written),
  });
  const source = new AudioSampleSource({
    codec: format,
    ...format !== "flac" && { quality: new Quality({ bitrate: BITRATE }) },
  });
  output.addAudioTrack(source);
  await output.start();
  const start = async () => {
    const nothing = new NoSound({ ...sampleOptions, data: new Float32Array(), timestamp: 0 });
    await source.add(nothing);
    nothing.close();
  };
  let starting: Promise<void> | undefined;
  let length = 0;
  const add = async (samples: Float32Array) => {
    const sample = new AudioSample({
      ...sampleOptions,
      data: samples.slice(),
      timestamp: length / sampleRate,
    });
    length += samples.length;
    await source.add(sample);
    sample.close();
  };
  return {
    format,
    name,
    prepare: async () => {
      if (length === 0 && !whole.has(format)) await (starting ??= start());
    },
    push: async (samples) => {
      await starting;
      // The first bytes need not wait for the last samples.
      const part = whole.has(format) ? samples.length : Math.ceil(PART_SECONDS * sampleRate);
      for (let at = 0; at < samples.length; at += part) await add(samples.subarray(at, at + part));
    },
    finish: async () => {
      await starting;
      // A file without samples is invalid.
      if (length === 0) await add(new Float32Array(1));
      await output.finalize();
      if (buffer.buffer) onBytes(new Uint8Array(buffer.buffer));
    },
    cancel: () => output.cancel(),
  };
}
