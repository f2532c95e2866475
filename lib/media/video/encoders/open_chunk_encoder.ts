/**
 * Chooses an encoder.
 *
 * @module
 */
import type { RunProcess } from "../../../platform/processes/run_process.ts";
import type { ChunkEncoder } from "../chunk_encoder.ts";
import { ENCODER_NAMES, type EncoderName } from "./encoder_names.ts";
import { ffmpegEncoder } from "./ffmpeg_encoder.ts";
import { EncoderError, type H264Encoder } from "../h264.ts";
import { chunkEncoder } from "./h264_chunk_encoder.ts";
import type { RgbFrames } from "../../images/rgb_image.ts";
import { wasmEncoder } from "./wasm_encoder.ts";
import { globalWebCodecs, nativeWebCodecs, webCodecsEncoder } from "./webcodecs_encoder.ts";

/** What {@link openChunkEncoder} needs. */
export interface ChunkEncoderOptions {
  /** Only this encoder; default: the first that works. Servers pass `SVC_ENCODER` on. */
  readonly encoder?: string;
  readonly runProcess: RunProcess;
}

/**
 * Opens the first encoder that encodes pictures of 64x64. To be called in a worker, see {@link wasmEncoder}; all others
 * use `openMedia`.
 *
 * @throws {EncoderError} when none works, with the reason of each, or when there is none of that name.
 */
export async function openChunkEncoder({ encoder, runProcess }: ChunkEncoderOptions): Promise<ChunkEncoder> {
  const names = encoder === undefined ? ENCODER_NAMES : ENCODER_NAMES.filter((name) => name === encoder);
  if (names.length === 0) {
    throw new EncoderError(
      `Cannot open encoder ${encoder}: there is none of this name, expected ${ENCODER_NAMES.join(", ")}`,
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
