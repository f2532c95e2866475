/**
 * Numbers that compare and describe frames.
 *
 * @module
 */
import type { RgbFrames } from "../../lib/media/images/rgb_image.ts";

/** A range of frames, the end excluded. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** Peak signal-to-noise ratio of every frame of `a` against `b`, in dB; at most 60. */
export function framePsnr(a: RgbFrames, b: RgbFrames): number[] {
  const size = a.width * a.height * 3;
  return Array.from({ length: a.count }, (_, frame) => {
    let sum = 0;
    for (let i = frame * size; i < (frame + 1) * size; i++) sum += (a.data[i] - b.data[i]) ** 2;
    return -10 * Math.log10(Math.max(1e-6, sum / size / 255 ** 2));
  });
}

/** Mean absolute difference of neighbouring pixels, across plus down. */
export function sharpness({ width, height, data }: RgbFrames, { from, to }: FrameRange): number {
  let across = 0;
  let down = 0;
  for (let frame = from; frame < to; frame++) {
    for (let y = 0; y < height; y++) {
      const row = (frame * height + y) * width * 3;
      for (let i = row; i < row + width * 3; i++) {
        if (i + 3 < row + width * 3) across += Math.abs(data[i + 3] - data[i]);
        if (y + 1 < height) down += Math.abs(data[i + width * 3] - data[i]);
      }
    }
  }
  const pictures = (to - from) * 3;
  return across / (pictures * height * (width - 1)) + down / (pictures * (height - 1) * width);
}

/** Mean of each colour channel and the standard deviation of all values, 0 to 255. */
export interface Tone {
  readonly colour: readonly [number, number, number];
  readonly deviation: number;
}

/** The tone of a range of frames. */
export function toneOf({ width, height, data }: RgbFrames, { from, to }: FrameRange): Tone {
  const size = width * height * 3;
  const values = data.subarray(from * size, to * size);
  const sums = [0, 0, 0];
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    sums[i % 3] += values[i];
    squares += values[i] ** 2;
  }
  const mean = (sums[0] + sums[1] + sums[2]) / values.length;
  const channel = (c: number) => sums[c] * 3 / values.length;
  return { colour: [channel(0), channel(1), channel(2)], deviation: Math.sqrt(squares / values.length - mean ** 2) };
}

/** Arithmetic mean. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** Standard error of the mean of independent values; no number for fewer than two. */
export function standardErrorOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}
