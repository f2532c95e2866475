/**
 * What writes sound, and the formats that it is written in.
 *
 * @module
 */

/** Writes one stream of mono sound, part by part. */
export interface AudioEncoder {
  readonly format: AudioFormat;
  /** What does the work, such as `@mediabunny/mp3-encoder`. */
  readonly name: string;
  /** Starts what encoding needs, such as a thread, before there is sound; otherwise the first samples wait for it. */
  prepare(): Promise<void>;
  /**
   * Takes samples, 1 being full scale. Their bytes may come later, while the next samples are made.
   *
   * @throws {Error} when the encoder fails.
   */
  push(samples: Float32Array): Promise<void>;
  /** Writes the end of the file; all bytes have been passed on when it resolves, and the encoder is finished. */
  finish(): Promise<void>;
  /** Frees the encoder of a stream that is not finished. */
  cancel(): Promise<void>;
}

/** What is written. */
export interface AudioEncoderOptions {
  /** Samples a second. */
  readonly sampleRate: number;
  /** Samples of the whole stream where they are known: only then the header of a WAV file can say it. */
  readonly length?: number | undefined;
  /** Called with the bytes of the file, in their order. */
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Formats by name; `pcm` is samples of 16 bits alone, little-endian. */
export const AUDIO_FORMATS = ["wav", "mp3", "opus", "aac", "flac", "pcm"] as const;

/** One of {@linkcode AUDIO_FORMATS}. */
export type AudioFormat = typeof AUDIO_FORMATS[number];

/** Whether an encoder makes the format: of the others the bytes are the samples. */
export function isCompressed(format: AudioFormat): boolean {
  return format !== "wav" && format !== "pcm";
}

/** Media types of the formats: Opus is in Ogg, AAC in ADTS frames. */
export const audioTypes: Readonly<Record<AudioFormat, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  pcm: "audio/pcm",
};
