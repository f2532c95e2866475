/**
 * Pictures and video by what a browser has.
 *
 * @module
 */
import { SvcError } from "../../lib/errors/svc_error.ts";
import { IMAGE_LIMITS } from "../../lib/media/images/image_format.ts";
import { encodePng } from "../../lib/media/images/png.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import type { ChunkEncoder } from "../../lib/media/video/media.ts";
import { openChunkEncoder } from "../../lib/media/video/encoders/open_chunk_encoder.ts";
import { joinChunks } from "../../lib/media/video/mp4.ts";
import type { WorldMedia } from "../../lib/world/session/world_files.ts";

/** The media of a session: WebCodecs encodes where it supports H.264, else the encoder in WebAssembly. */
export function tabMedia(): WorldMedia {
  let opened: Promise<ChunkEncoder> | undefined;
  const runProcess = (): Promise<never> => Promise.reject(new Error("a browser starts no programs"));
  const encoder = (): Promise<ChunkEncoder> => opened ??= openChunkEncoder({ runProcess });
  return {
    prepare: async () => (await encoder()).name,
    encodeChunk: async (frames, options) => await (await encoder()).encode(frames, options),
    joinChunks,
    encodePng,
    decodeImage: decodeInTab,
    close: async () => await (await opened)?.close(),
  };
}

/** The first picture of an image file as the browser shows it, transparent parts on white. */
async function decodeInTab(bytes: Uint8Array): Promise<RgbImage> {
  if (bytes.length > IMAGE_LIMITS.bytes) throw tooLarge(`${bytes.length} bytes`, `${IMAGE_LIMITS.bytes}`);
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), { colorSpaceConversion: "default" });
  } catch (cause) {
    const message =
      "Cannot decode image: this browser does not support its format, or it is damaged; expected PNG or JPEG";
    throw new SvcError("image_unsupported", message, { cause });
  }
  const { width, height } = bitmap;
  try {
    if (width * height > IMAGE_LIMITS.pixels) {
      throw tooLarge(`${width}x${height} pixels`, `${IMAGE_LIMITS.pixels / 1e6} megapixels`);
    }
    const context = new OffscreenCanvas(width, height).getContext("2d", { alpha: false })!;
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: withoutAlpha(context.getImageData(0, 0, width, height).data) };
  } finally {
    bitmap.close();
  }
}

function withoutAlpha(pixels: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array(pixels.length / 4 * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    rgb[to++] = pixels[from];
    rgb[to++] = pixels[from + 1];
    rgb[to++] = pixels[from + 2];
  }
  return rgb;
}

function tooLarge(found: string, expected: string): SvcError {
  return new SvcError("image_too_large", `Cannot decode image: ${found}, expected at most ${expected}`);
}
