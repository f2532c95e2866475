/**
 * Encodes chunks by an H.264 encoder.
 *
 * @module
 */
import type { ChunkEncoder, ChunkOptions, EncodedChunk } from "../chunk_encoder.ts";
import { EncoderError, type H264Encoder } from "../h264.ts";
import { rgbToI420 } from "../i420.ts";
import { muxMp4 } from "../mp4.ts";
import { checkPixels, type RgbFrames } from "../../images/rgb_image.ts";

/** Makes a chunk encoder of any H.264 encoder: converts, checks the packets, and writes the MP4. */
export function chunkEncoder(h264: H264Encoder): ChunkEncoder {
  let closed = false;
  return {
    name: h264.name,
    encode: async (frames: RgbFrames, options: ChunkOptions): Promise<EncodedChunk> => {
      if (closed) throw new EncoderError("Cannot encode chunk: the encoder is closed, open another");
      checkPixels(frames);
      checkOptions(options);
      const stream = await h264.encode(rgbToI420(frames), options);
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
