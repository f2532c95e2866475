/**
 * Limits of what can be asked of a world.
 *
 * @module
 */
import { MAX_FPS, MAX_GEOMETRY } from "../../world/protocol/move_fields.ts";

/** What is checked; everything is optional. */
export interface CheckedOptions {
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly seed?: number | bigint;
}

/**
 * Checks the numbers of a new world before anything is loaded.
 *
 * @throws {RangeError} naming the option, its value and what was expected
 */
export function checkWorldOptions({ width, height, fps, seed }: CheckedOptions): void {
  checkSide("width", width, MAX_GEOMETRY.width);
  checkSide("height", height, MAX_GEOMETRY.height);
  if (fps !== undefined && !(Number.isInteger(fps) && fps >= 1 && fps <= MAX_FPS)) {
    throw wrong("fps", fps, `an integer from 1 to ${MAX_FPS}`);
  }
  const isWhole = typeof seed === "bigint" || Number.isSafeInteger(seed ?? 0);
  if (seed !== undefined && !(isWhole && seed >= 0 && BigInt(seed) < 1n << 64n)) {
    throw wrong("seed", seed, "an integer from 0 to 2^53-1, or a bigint up to 2^64-1");
  }
}

function checkSide(name: string, pixels: number | undefined, limit: number): void {
  if (pixels === undefined || (pixels > 0 && pixels % 32 === 0 && pixels <= limit)) return;
  throw wrong(name, pixels, `a multiple of 32 from 32 to ${limit}`);
}

function wrong(name: string, value: number | bigint, expected: string): RangeError {
  return new RangeError(`Cannot open the world: ${name} is ${value}, expected ${expected}`);
}
