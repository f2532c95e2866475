/**
 * H.264 encoding by an installed ffmpeg.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import { DEFAULT_QUANTIZER, EncoderError, type H264Encoder } from "../h264.ts";
import { demuxMp4 } from "../mp4.ts";

/** An encoder that starts `ffmpeg` (on PATH) for every call. */
export function ffmpegEncoder(runProcess: RunProcess): H264Encoder {
  return {
    name: "ffmpeg",
    encode: async ({ width, height, count, data }, { fps, bitrate }) => {
      const result = await runProcess("ffmpeg", [
        ...["-v", "error", "-nostdin"],
        ...["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${width}x${height}`, "-r", `${fps}`],
        ...COLOUR,
        ...["-i", "pipe:0"],
        ...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-bf", "0", "-g", `${count}`],
        ...(bitrate ? ["-b:v", `${bitrate}`] : ["-crf", `${DEFAULT_QUANTIZER}`]),
        ...["-pix_fmt", "yuv420p", ...COLOUR, "-fflags", "+bitexact"],
        // Only the fragmented kind can be written to a pipe; it is remuxed afterwards anyway.
        ...["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-f", "mp4", "pipe:1"],
      ], data);
      if (result.code !== 0) {
        const reason = result.stderr.trim().split("\n").at(-1);
        throw new EncoderError(`Cannot encode chunk: ffmpeg exited with status ${result.code} (${reason})`);
      }
      return await demuxMp4(result.stdout);
    },
  };
}

const COLOUR = [
  ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
];
