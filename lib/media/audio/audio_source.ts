/**
 * The bytes of a sound file, and the sound that is decoded from them, in parts.
 *
 * @module
 */

/** Random access to the bytes of a file, wherever it is. */
export interface AudioSource {
  /** Where it is, for programs that read files themselves; undefined for bytes in memory. */
  readonly path?: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads up to `length` bytes from `offset`: fewer only where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file that is in memory. */
export function audioBytes(bytes: Uint8Array): AudioSource {
  return { size: bytes.length, read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)) };
}

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
