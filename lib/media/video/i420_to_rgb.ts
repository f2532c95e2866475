/**
 * Converts the YUV of H.264 to RGB: the inverse of `rgbToI420`, except for rounding and chroma subsampling.
 *
 * @module
 */
import { type I420Frames, i420FrameSize } from "./i420.ts";
import type { RgbFrames } from "../images/rgb_image.ts";

// Rec. ITU-R BT.709-6, items 3.2 to 3.4, solved for R, G and B of 0 to 255.
const LUMA = 255 / 219;
const CHROMA = 255 / 224;
const RED_V = CHROMA * 1.5748;
const BLUE_U = CHROMA * 1.8556;
const GREEN_U = BLUE_U * 0.0722 / 0.7152;
const GREEN_V = RED_V * 0.2126 / 0.7152;

/** Converts frames of BT.709 limited range; the chroma of a 2x2 block applies to all its four pixels. */
export function i420ToRgb({ width, height, count, data }: I420Frames): RgbFrames {
  const size = i420FrameSize(width, height);
  const rgb = new Uint8ClampedArray(count * width * height * 3);
  for (let frame = 0, to = 0; frame < count; frame++) {
    const luma = frame * size;
    const blue = luma + width * height;
    const red = blue + width * height / 4;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, to += 3) {
        const chroma = (y >> 1) * (width >> 1) + (x >> 1);
        const bright = LUMA * (data[luma + y * width + x]! - 16);
        const u = data[blue + chroma]! - 128;
        const v = data[red + chroma]! - 128;
        rgb[to] = bright + RED_V * v;
        rgb[to + 1] = bright - GREEN_U * u - GREEN_V * v;
        rgb[to + 2] = bright + BLUE_U * u;
      }
    }
  }
  return { width, height, count, data: new Uint8Array(rgb.buffer) };
}
