/**
 * Sound as samples of 16 bits, alone or with the header of a WAV file.
 *
 * @module
 */
import type { AudioEncoder, AudioEncoderOptions } from "./audio_encoder.ts";

const HEADER_BYTES = 44;
const BYTES = 2;

/** What sizes are in the header of a stream whose end is not known; players then read to the end. */
const UNKNOWN_SIZE = 0xffffffff;

/** Samples of 16 bits, little-endian; loud samples are clipped, NaN becomes silence. */
export function pcm16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * BYTES);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, i) => {
    const value = Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(sample, 1));
    view.setInt16(i * BYTES, Math.round(value * 32767), true);
  });
  return bytes;
}

/**
 * The header of a mono WAV file with samples of 16 bits (Multimedia Programming Interface and Data Specifications 1.0).
 */
export function wavHeader({ sampleRate, length }: Omit<AudioEncoderOptions, "onBytes">): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const size = length === undefined ? UNKNOWN_SIZE : length * BYTES;
  const fits = size + HEADER_BYTES - 8 <= UNKNOWN_SIZE;
  const text = (at: number, word: string) => header.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, fits ? size + HEADER_BYTES - 8 : UNKNOWN_SIZE, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * BYTES, true);
  view.setUint16(32, BYTES, true);
  view.setUint16(34, 8 * BYTES, true);
  text(36, "data");
  view.setUint32(40, fits ? size : UNKNOWN_SIZE, true);
  return header;
}

/** Writes `wav` or `pcm`. */
export function pcmEncoder(format: "wav" | "pcm", options: AudioEncoderOptions): AudioEncoder {
  let begun = false;
  const begin = () => {
    if (!begun && format === "wav") options.onBytes(wavHeader(options));
    begun = true;
  };
  return {
    format,
    name: "svc",
    prepare: () => Promise.resolve(),
    push: (samples) => {
      begin();
      if (samples.length > 0) options.onBytes(pcm16(samples));
      return Promise.resolve();
    },
    finish: () => Promise.resolve(begin()),
    cancel: () => Promise.resolve(),
  };
}

/** A WAV file of a stream whose length is known now; its header did not say it. */
export function wholeWav(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const whole = bytes.slice();
  const view = new DataView(whole.buffer);
  if (whole.length < HEADER_BYTES || view.getUint32(40, true) !== UNKNOWN_SIZE) return whole;
  view.setUint32(4, Math.min(whole.length - 8, UNKNOWN_SIZE), true);
  view.setUint32(40, Math.min(whole.length - HEADER_BYTES, UNKNOWN_SIZE), true);
  return whole;
}
