/**
 * Images as plain bytes.
 *
 * @module
 */
import { joinBytes } from "./bytes.ts";

/** One image. */
export interface RgbImage {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** 8-bit RGB, sRGB, row-major: `width * height * 3` bytes. */
  readonly data: Uint8Array;
}

/** Pixels as bytes red, green, blue, alpha; row by row. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  /** [H,W,4]; colours are not multiplied by alpha. */
  readonly data: Uint8Array;
}

/** A series of images of one size. */
export interface RgbFrames {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Number of images. */
  readonly count: number;
  /** 8-bit RGB, sRGB, `[count, height, width, 3]`. */
  readonly data: Uint8Array;
}

/**
 * One frame as an image; it shares the memory of `frames`.
 *
 * @throws {RangeError} when there is no such frame.
 */
export function frameAt(frames: RgbFrames, index: number): RgbImage {
  if (!Number.isInteger(index) || index < 0 || index >= frames.count) {
    throw new RangeError(`Cannot take frame ${index}: there are ${frames.count} frames`);
  }
  const { width, height } = frames;
  const size = width * height * 3;
  return { width, height, data: frames.data.subarray(index * size, (index + 1) * size) };
}

/** Frames of one size, one series after another; at least one. */
export function joinFrames(parts: readonly RgbFrames[]): RgbFrames {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return { ...parts[0], count, data: joinBytes(parts.map(({ data }) => data)) };
}

/**
 * Checks that sizes are positive integers and that `data` has the matching length.
 *
 * @throws {RangeError} otherwise.
 */
export function checkPixels(image: RgbImage | RgbFrames): void {
  const { width, height, data } = image;
  const count = "count" in image ? image.count : 1;
  if (![width, height, count].every((n) => Number.isInteger(n) && n > 0)) {
    throw new RangeError(`Cannot use image: ${count} frames of ${width}x${height}, expected positive whole numbers`);
  }
  const expected = width * height * count * 3;
  if (data.length !== expected) {
    throw new RangeError(
      `Cannot use image: ${data.length} bytes for ${count} frames of ${width}x${height}, expected ${expected}`,
    );
  }
}
