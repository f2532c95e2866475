/**
 * Chooses an H.264 encoder, and encodes chunks by it.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import { checkPixels, type RgbFrames } from "../../images/rgb_image.ts";
import { ENCODER_NAMES, EncoderError, type EncoderName, type H264Encoder } from "../h264.ts";
import { rgbToI420 } from "../i420.ts";
import type { ChunkEncoder, ChunkOptions, EncodedChunk } from "../media.ts";
import { muxMp4 } from "../mp4.ts";
import { ffmpegEncoder, wasmEncoder } from "./mp4_encoders.ts";
import { globalWebCodecs, nativeWebCodecs, webCodecsEncoder } from "./webcodecs_encoder.ts";

/** What {@link openChunkEncoder} needs. */
export interface ChunkEncoderOptions {
  /** Only this encoder; default: the first that works. Servers pass `SVC_ENCODER` on. */
  readonly encoder?: string;
  readonly runProcess: RunProcess;
}

/**
 * Opens the first encoder that encodes images of 64x64. To be called in a worker, see {@link wasmEncoder}; all others
 * use `openMedia`.
 *
 * @throws {EncoderError} when none works, with the reason of each, or when there is none of that name.
 */
export async function openChunkEncoder({ encoder, runProcess }: ChunkEncoderOptions): Promise<ChunkEncoder> {
  const names = encoder === undefined ? ENCODER_NAMES : ENCODER_NAMES.filter((name) => name === encoder);
  if (names.length === 0) {
    throw new EncoderError(
      `Cannot open encoder ${encoder}: there is no encoder of this name, expected ${ENCODER_NAMES.join(", ")}`,
    );
  }
  const reasons: string[] = [];
  for (const name of names) {
    try {
      const opened = chunkEncoder(await openH264(name, runProcess));
      await opened.encode(PROBE, { fps: 24, firstFrame: 0, container: "fmp4" });
      return opened;
    } catch (error) {
      reasons.push(`${name}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  throw new EncoderError(`Cannot open H.264 encoder: ${reasons.join("; ")}`);
}

/** As many frames as a block has, so that everything used for a block has run once. */
const PROBE: RgbFrames = { width: 64, height: 64, count: 12, data: new Uint8Array(64 * 64 * 3 * 12).fill(128) };

async function openH264(name: EncoderName, runProcess: RunProcess): Promise<H264Encoder> {
  switch (name) {
    case "webcodecs":
      return webCodecsEncoder(name, globalWebCodecs());
    case "napi-webcodecs":
      return webCodecsEncoder(name, await nativeWebCodecs());
    case "ffmpeg":
      return ffmpegEncoder(runProcess);
    case "wasm":
      return await wasmEncoder();
  }
}

/** Makes a chunk encoder of any H.264 encoder: converts, checks the packets, and writes the MP4. */
export function chunkEncoder(h264: H264Encoder): ChunkEncoder {
  let closed = false;
  /** Memory of the last chunk that was converted, so that not every one waits for clean pages. */
  let scratch: Uint8Array<ArrayBuffer> | undefined;
  return {
    name: h264.name,
    encode: async (frames: RgbFrames, options: ChunkOptions): Promise<EncodedChunk> => {
      if (closed) throw new EncoderError("Cannot encode chunk: the encoder is closed, open another");
      checkPixels(frames);
      checkOptions(options);
      const yuv = rgbToI420(frames, scratch);
      scratch = undefined; // another call may come meanwhile
      const stream = await h264.encode(yuv, options);
      scratch = yuv.data;
      if (stream.packets.length !== frames.count || stream.packets[0].type !== "key") {
        throw new EncoderError(
          `Cannot encode chunk: ${h264.name} returned ${stream.packets.length} packets, the first a ` +
            `${stream.packets[0]?.type} frame, expected ${frames.count} starting with a key frame`,
        );
      }
      return await muxMp4(stream, options);
    },
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

function checkOptions({ fps, firstFrame, bitrate }: ChunkOptions): void {
  if (!(fps > 0 && fps <= 240)) {
    throw new RangeError(`Cannot encode chunk: fps is ${fps}, expected more than 0, at most 240`);
  }
  if (!(Number.isSafeInteger(firstFrame) && firstFrame >= 0)) {
    throw new RangeError(`Cannot encode chunk: firstFrame is ${firstFrame}, expected a whole number of at least 0`);
  }
  if (bitrate !== undefined && !(bitrate >= 1000 && bitrate <= 1e9)) {
    throw new RangeError(`Cannot encode chunk: bitrate is ${bitrate}, expected 1000 to 1000000000 bits per second`);
  }
}
