import { encodePng } from "../../lib/media/images/png.ts";
import { localMedia } from "../../lib/media/video/local_media.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";

/** A picture with a pattern, as a PNG. */
export async function picture(width: number, height: number, seed = 1): Promise<File> {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => i * 37 * seed % 251);
  return new File([await encodePng({ width, height, data })], "picture.png", { type: "image/png" });
}

/** An orange square on nothing, as a PNG. */
export async function cutOut(side = 64, object = 30): Promise<File> {
  const { default: sharp } = await import("sharp");
  const data = new Uint8Array(4 * side * side);
  const start = (side - object) >> 1;
  for (let y = start; y < start + object; y++) {
    for (let x = start; x < start + object; x++) data.set([230, 120, 20, 255], 4 * (y * side + x));
  }
  const png = await sharp(data, { raw: { width: side, height: side, channels: 4 } }).png().toBuffer();
  return new File([new Uint8Array(png)], "object.png", { type: "image/png" });
}

/** A clip of a moving pattern, as an MP4. */
export async function clip(width: number, height: number, count: number): Promise<File> {
  const size = 3 * width * height;
  const data = Uint8Array.from({ length: size * count }, (_, i) => (i % size + 9 * Math.floor(i / size)) % 255);
  const media = localMedia({ runProcess });
  try {
    const frames = { width, height, count, data };
    const { bytes } = await media.encodeChunk(frames, { fps: 24, firstFrame: 0, container: "mp4" });
    return new File([new Uint8Array(bytes)], "clip.mp4", { type: "video/mp4" });
  } finally {
    await media.close();
  }
}

/** A form of values, each under its name. */
export function form(...parts: readonly (readonly [name: string, value: string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
}
