/**
 * Decoded sound in parts.
 *
 * @module
 */

/** Some samples of every channel. */
export interface AudioBlock {
  /** Samples a second. */
  readonly sampleRate: number;
  /** One array per channel, all of the same length; 1 is full scale. */
  readonly channels: readonly Float32Array[];
}

/** A sound file whose header has been read. */
export interface OpenedAudio {
  /** Readable format, such as `WAV (16-bit PCM)`. */
  readonly format: string;
  /** Seconds according to its header; undefined if it does not say. */
  readonly duration: number | undefined;
  /** Decodes it from the start, once; ending the iteration early frees the decoder. */
  blocks(): AsyncIterable<AudioBlock>;
}
