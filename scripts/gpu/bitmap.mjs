/** Writes images as BMP, which lib/media reads without a native package. */
import { writeFileSync } from "node:fs";
import sharp from "sharp";

/**
 * @param {string} source an image in any format
 * @param {string} target the bitmap; its name does not have to say so
 */
export async function writeBitmap(source, target) {
  const { data, info } = await sharp(source).removeAlpha().toColourspace("srgb").raw().toBuffer({
    resolveWithObject: true,
  });
  const { width, height } = info;
  // Rows begin at multiples of four bytes, the last row first, blue before red (Microsoft, BITMAPINFOHEADER).
  const stride = Math.ceil(width * 3 / 4) * 4;
  const out = Buffer.alloc(54 + stride * height);
  out.write("BM");
  out.writeUInt32LE(out.length, 2);
  out.writeUInt32LE(54, 10);
  out.writeUInt32LE(40, 14);
  out.writeInt32LE(width, 18);
  out.writeInt32LE(height, 22);
  out.writeUInt16LE(1, 26);
  out.writeUInt16LE(24, 28);
  out.writeUInt32LE(stride * height, 34);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3;
      const to = 54 + (height - 1 - y) * stride + x * 3;
      [out[to], out[to + 1], out[to + 2]] = [data[from + 2], data[from + 1], data[from]];
    }
  }
  writeFileSync(target, out);
}
