/**
 * Pictures as plain bytes.
 *
 * @module
 */

/** One picture. */
export interface RgbImage {
  /** Pixels a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** RGB, 8 bits a channel, sRGB, row-major: `width * height * 3` bytes. */
  readonly data: Uint8Array;
}

/** Pictures of one size in a row. */
export interface RgbFrames {
  /** Pixels a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** How many pictures. */
  readonly count: number;
  /** RGB, 8 bits a channel, sRGB, `[count, height, width, 3]`. */
  readonly data: Uint8Array;
}

/**
 * One frame as a picture; it shares the memory of `frames`.
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

/**
 * Checks that sizes are positive whole numbers and that `data` holds exactly what they say.
 *
 * @throws {RangeError} otherwise.
 */
export function checkPixels(picture: RgbImage | RgbFrames): void {
  const { width, height, data } = picture;
  const count = "count" in picture ? picture.count : 1;
  if (![width, height, count].every((n) => Number.isInteger(n) && n > 0)) {
    throw new RangeError(`Cannot use picture: ${count} frames of ${width}x${height}, expected positive whole numbers`);
  }
  const expected = width * height * count * 3;
  if (data.length !== expected) {
    throw new RangeError(
      `Cannot use picture: ${data.length} bytes for ${count} frames of ${width}x${height}, expected ${expected}`,
    );
  }
}
