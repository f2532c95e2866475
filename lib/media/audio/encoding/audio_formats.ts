/**
 * Formats that sound is written in.
 *
 * @module
 */

/** Formats by name; `pcm` is samples of 16 bits alone, little-endian. */
export const AUDIO_FORMATS = ["wav", "mp3", "opus", "aac", "flac", "pcm"] as const;

/** One of {@linkcode AUDIO_FORMATS}. */
export type AudioFormat = typeof AUDIO_FORMATS[number];

/** Media types of the formats: Opus is in Ogg, AAC in ADTS frames. */
export const audioTypes: Readonly<Record<AudioFormat, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  pcm: "audio/pcm",
};
