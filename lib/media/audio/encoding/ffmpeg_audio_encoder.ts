/**
 * Sound in compressed formats by an installed ffmpeg, which comes as a whole at the end.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import { joinBytes } from "../../images/join_bytes.ts";
import type { AudioEncoder, AudioEncoderOptions } from "./audio_encoder.ts";
import type { AudioFormat } from "./audio_formats.ts";
import { pcm16 } from "./pcm_encoder.ts";

/** Formats that ffmpeg is asked for. */
export type FfmpegFormat = Exclude<AudioFormat, "wav" | "pcm">;

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
