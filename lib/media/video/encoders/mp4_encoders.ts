/**
 * H.264 encoders that write MP4 files themselves: an installed ffmpeg, and WebAssembly, the one that is always there.
 *
 * @module
 */
import type { H264MP4Encoder } from "h264-mp4-encoder";
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import { DEFAULT_QUANTIZER, EncoderError, type H264Encoder } from "../h264.ts";
import { i420FrameSize } from "../i420.ts";
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

interface HmePackage {
  createH264MP4Encoder(): Promise<H264MP4Encoder>;
}

/**
 * Loads minih264. Only to be called in a worker: the package installs handlers that end the whole process when any
 * promise of it is rejected unheard, and it computes on the thread that calls it.
 */
export async function wasmEncoder(): Promise<H264Encoder> {
  const loaded: Partial<HmePackage> & { default?: HmePackage } = await import("h264-mp4-encoder");
  const { createH264MP4Encoder } = (loaded.default ?? loaded) as HmePackage; // CommonJS: loaders differ in where it ends up
  return {
    name: "wasm",
    encode: async ({ width, height, count, data }, { fps, bitrate }) => {
      const encoder = await createH264MP4Encoder();
      try {
        encoder.width = width;
        encoder.height = height;
        encoder.frameRate = fps;
        encoder.quantizationParameter = DEFAULT_QUANTIZER;
        encoder.kbps = Math.round((bitrate ?? 0) / 1000); // 0: by the quantizer
        encoder.speed = 10; // slower searches gain 1 or 2 % of the size
        encoder.groupOfPictures = count;
        encoder.initialize();
        const size = i420FrameSize(width, height);
        for (let i = 0; i < count; i++) encoder.addFrameYuv(data.subarray(i * size, (i + 1) * size));
        encoder.finalize();
        const file = encoder.FS.readFile(encoder.outputFilename);
        encoder.FS.unlink(encoder.outputFilename);
        return await demuxMp4(file);
      } finally {
        encoder.delete();
      }
    },
  };
}
