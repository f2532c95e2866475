/**
 * Decoded sound, in parts.
 *
 * @module
 */

/** Some samples of every channel. */
export interface AudioBlock {
  /** Samples a second. */
  readonly sampleRate: number;
  /** One array a channel, all of the same length; 1 is full scale. */
  readonly channels: readonly Float32Array[];
}

/** A sound file whose header has been read. */
export interface OpenedAudio {
  /** What it is, for people, such as `WAV (16-bit PCM)`. */
  readonly format: string;
  /** Seconds by its header; undefined where it does not say. */
  readonly duration: number | undefined;
  /** Decodes it from its beginning, once; ending the iteration early frees the decoder. */
  blocks(): AsyncIterable<AudioBlock>;
}
