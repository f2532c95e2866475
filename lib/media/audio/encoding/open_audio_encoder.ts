/**
 * Chooses what writes sound.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import type { AudioEncoder, AudioEncoderOptions } from "./audio_encoder.ts";
import type { AudioFormat } from "./audio_formats.ts";
import { ffmpegAudioEncoder, type FfmpegFormat } from "./ffmpeg_audio_encoder.ts";
import { mediabunnyEncoder } from "./mediabunny_encoder.ts";
import { opusEncoder } from "./opus_encoder.ts";
import { pcmEncoder } from "./pcm_encoder.ts";

/** An encoder, or why there is none and what to install. */
export type OpenedAudioEncoder =
  | { readonly ok: true; readonly encoder: AudioEncoder }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** Packages by the formats that they write. */
const packages: Readonly<Record<FfmpegFormat, string>> = {
  mp3: "@mediabunny/mp3-encoder",
  opus: "opusscript",
  aac: "@mediabunny/aac-encoder",
  flac: "@mediabunny/flac-encoder",
};

/**
 * Opens the first encoder of a format that works: `wav` and `pcm` need nothing, all others an optional package or ffmpeg
 * on PATH.
 */
export async function openAudioEncoder(
  format: AudioFormat,
  options: AudioEncoderOptions,
  runProcess: RunProcess,
): Promise<OpenedAudioEncoder> {
  if (format === "wav" || format === "pcm") return { ok: true, encoder: pcmEncoder(format, options) };
  const reasons: string[] = [];
  const tried: readonly (readonly [string, () => Promise<AudioEncoder>])[] = [
    [packages[format], () => format === "opus" ? opusEncoder(options) : mediabunnyEncoder(format, options)],
    ["ffmpeg", () => ffmpegAudioEncoder(format, options, runProcess)],
  ];
  for (const [name, open] of tried) {
    try {
      return { ok: true, encoder: await open() };
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  return {
    ok: false,
    reason: `Cannot encode ${format}: no encoder works (${reasons.join("; ")})`,
    remedy: `run "npm install ${packages[format]}", put ffmpeg on PATH, or ask for wav`,
  };
}
