/**
 * H.264 in WebAssembly: the encoder that is always there.
 *
 * @module
 */
import type { H264MP4Encoder } from "h264-mp4-encoder";
import { DEFAULT_QUANTIZER, type H264Encoder } from "../h264.ts";
import { i420FrameSize } from "../i420.ts";
import { demuxMp4 } from "../mp4.ts";

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
