/**
 * Chooses what writes sound; an installed ffmpeg writes what no package here does.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import { joinBytes } from "../../images/bytes.ts";
import type { AudioEncoder, AudioEncoderOptions, AudioFormat } from "./audio_encoder.ts";
import { mediabunnyEncoder } from "./mediabunny_encoder.ts";
import { opusEncoder } from "./opus_encoder.ts";
import { pcm16, pcmEncoder } from "./pcm_encoder.ts";

/** An encoder, or why there is none and what to install. */
type OpenedAudioEncoder =
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

/** Formats that ffmpeg is asked for. */
type FfmpegFormat = Exclude<AudioFormat, "wav" | "pcm">;

const outputs: Readonly<Record<FfmpegFormat, readonly string[]>> = {
  mp3: ["-c:a", "libmp3lame", "-b:a", "96k", "-write_xing", "0", "-f", "mp3"],
  opus: ["-c:a", "libopus", "-b:a", "48k", "-f", "ogg"],
  aac: ["-c:a", "aac", "-b:a", "96k", "-f", "adts"],
  flac: ["-c:a", "flac", "-f", "flac"],
};

/**
 * Opens an encoder.
 *
 * @throws {Error} when there is no ffmpeg on PATH.
 */
export async function ffmpegAudioEncoder(
  format: FfmpegFormat,
  { sampleRate, onBytes }: AudioEncoderOptions,
  runProcess: RunProcess,
): Promise<AudioEncoder> {
  await runProcess("ffmpeg", ["-version"], new Uint8Array());
  const parts: Uint8Array[] = [];
  return {
    format,
    name: "ffmpeg",
    prepare: () => Promise.resolve(),
    push: (samples) => {
      parts.push(pcm16(samples));
      return Promise.resolve();
    },
    finish: async () => {
      const { code, stdout, stderr } = await runProcess("ffmpeg", [
        ...["-v", "error", "-nostdin", "-f", "s16le", "-ar", `${sampleRate}`, "-ac", "1", "-i", "pipe:0"],
        ...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"],
        ...outputs[format],
        "pipe:1",
      ], joinBytes(parts));
      if (code === 0) return onBytes(joinBytes([stdout]));
      const reason = stderr.trim().split("\n").at(-1);
      throw new Error(`Cannot encode ${format}: ffmpeg ended with status ${code} (${reason})`);
    },
    cancel: () => Promise.resolve(),
  };
}
