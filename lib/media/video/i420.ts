/**
 * Converts RGB to the YUV of H.264 and back; rounding and chroma subsampling are lost on the way.
 *
 * @module
 */
import type { RgbFrames } from "../images/rgb_image.ts";

/** Planar YUV 4:2:0, BT.709, limited range. */
export interface I420Frames {
  /** Even. */
  readonly width: number;
  /** Even. */
  readonly height: number;
  readonly count: number;
  /** Frame by frame: the Y plane, then U and V at half the width and height. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The colour space of {@link rgbToI420}, for frames and for the tags of a file. */
export const BT709: Required<VideoColorSpaceInit> & {
  readonly primaries: "bt709";
  readonly transfer: "bt709";
  readonly matrix: "bt709";
  readonly fullRange: false;
} = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false };

// ITU-R BT.709-6, items 3.2 to 3.4, for 8-bit R, G, B of 0 to 255, in units of 2^-16:
// Y = 16 + 219 (0.2126 R + 0.7152 G + 0.0722 B) / 255, U = 128 + 224 (B - Y) / 1.8556, V = 128 + 224 (R - Y) / 1.5748.
const ONE = 65536;
const fixed = (x: number): number => Math.round(x * ONE / 255);
const [YR, YG, YB] = [0.2126, 0.7152, 0.0722].map((k) => fixed(219 * k));
const [UR, UG, UB] = [-0.2126, -0.7152, 1 - 0.0722].map((k) => fixed(224 * k / 1.8556));
const [VR, VG, VB] = [1 - 0.2126, -0.7152, -0.0722].map((k) => fixed(224 * k / 1.5748));
const Y_BASE = 16 * ONE + ONE / 2;
const C_BASE = 128 * ONE + ONE / 2;

/** Bytes of one frame of an even size. */
export function i420FrameSize(width: number, height: number): number {
  return width * height * 3 / 2;
}

/**
 * Converts frames to BT.709 limited range; chroma is the mean of each 2x2 block. A last odd column or row is repeated,
 * so that width and height become even.
 *
 * @param scratch Memory for the result, used if it has the right length.
 */
export function rgbToI420(frames: RgbFrames, scratch?: Uint8Array<ArrayBuffer>): I420Frames {
  const width = frames.width + frames.width % 2;
  const height = frames.height + frames.height % 2;
  const size = i420FrameSize(width, height);
  const length = frames.count * size;
  const data = scratch?.length === length ? scratch : new Uint8Array(length);
  const rgbSize = frames.width * frames.height * 3;
  for (let i = 0; i < frames.count; i++) {
    const rgb = frames.data.subarray(i * rgbSize, (i + 1) * rgbSize);
    convertFrame(rgb, frames.width, frames.height, data.subarray(i * size, (i + 1) * size));
  }
  return { width, height, count: frames.count, data };
}

function convertFrame(rgb: Uint8Array, width: number, height: number, out: Uint8Array): void {
  const lumaWidth = width + width % 2;
  const lumaSize = lumaWidth * (height + height % 2);
  let u = lumaSize;
  let v = lumaSize + lumaSize / 4;
  for (let y = 0; y < height; y += 2) {
    const top = y * width;
    const bottom = y + 1 < height ? top + width : top;
    let luma = y * lumaWidth;
    for (let x = 0; x < width; x += 2) {
      const right = x + 1 < width ? 3 : 0;
      const a = (top + x) * 3, b = a + right, c = (bottom + x) * 3, d = c + right;
      out[luma] = (YR * rgb[a] + YG * rgb[a + 1] + YB * rgb[a + 2] + Y_BASE) >> 16;
      out[luma + 1] = (YR * rgb[b] + YG * rgb[b + 1] + YB * rgb[b + 2] + Y_BASE) >> 16;
      out[luma + lumaWidth] = (YR * rgb[c] + YG * rgb[c + 1] + YB * rgb[c + 2] + Y_BASE) >> 16;
      out[luma + lumaWidth + 1] = (YR * rgb[d] + YG * rgb[d + 1] + YB * rgb[d + 2] + Y_BASE) >> 16;
      luma += 2;
      const red = (rgb[a] + rgb[b] + rgb[c] + rgb[d]) / 4;
      const green = (rgb[a + 1] + rgb[b + 1] + rgb[c + 1] + rgb[d + 1]) / 4;
      const blue = (rgb[a + 2] + rgb[b + 2] + rgb[c + 2] + rgb[d + 2]) / 4;
      out[u++] = (UR * red + UG * green + UB * blue + C_BASE) >> 16;
      out[v++] = (VR * red + VG * green + VB * blue + C_BASE) >> 16;
    }
  }
}

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
