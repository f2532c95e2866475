/**
 * The names of the video encoders, in a separate file so that they can be checked without loading an encoder.
 *
 * @module
 */

/** Encoders by name, in the order in which they are tried. */
export const ENCODER_NAMES = ["webcodecs", "napi-webcodecs", "ffmpeg", "wasm"] as const;

/** Name of an encoder. */
export type EncoderName = typeof ENCODER_NAMES[number];
