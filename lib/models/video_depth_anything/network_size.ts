/**
 * The size at which frames are looked at.
 *
 * @module
 */
import type { ImageSize } from "../images/resample.ts";
import { roundHalfToEven } from "../images/round_half_to_even.ts";

/** Shape beyond which the size is lowered, so that a long frame costs no more than one of 16 by 9. */
const LONG_ASPECT = 1.78;
const WIDE_ASPECT = 1.777;

/** What the network is asked for, and the size of its input. */
export interface NetworkSize extends ImageSize {
  /** Length of the shorter side before it becomes a multiple of the patch; 0 when the frame is too long to be seen. */
  readonly effective: number;
}

/** The shorter side at least at `inputSize`, both multiples of the patch; less where the frame is very long. */
export function networkSize({ width, height }: ImageSize, inputSize: number, patch: number): NetworkSize {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const effective = long / short > LONG_ASPECT
    ? roundHalfToEven(Math.trunc(inputSize * WIDE_ASPECT / (long / short)) / patch) * patch
    : inputSize;
  const scale = effective / short;
  const side = (length: number) => {
    const near = roundHalfToEven(length * scale / patch) * patch;
    return near < effective ? Math.ceil(length * scale / patch) * patch : near;
  };
  return { effective, width: side(width), height: side(height) };
}
