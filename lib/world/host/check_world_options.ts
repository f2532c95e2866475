/**
 * Bounds of the options of a world.
 *
 * @module
 */
import { CLIP_BOUNDS } from "../protocol/requests/clip_request.ts";
import type { BackendName } from "../protocol/wire.ts";
import { MAX_FPS, MAX_GEOMETRY } from "../protocol/requests/move_fields.ts";

/** The options to check; all are optional. */
export interface CheckedOptions {
  readonly backend?: BackendName;
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
export function checkWorldOptions({ backend, width, height, fps, seed }: CheckedOptions): void {
  const bounds = backend === "actionworld" ? CLIP_BOUNDS : { ...MAX_GEOMETRY, unit: 32 };
  checkSide("width", width, bounds.width, bounds.unit);
  checkSide("height", height, bounds.height, bounds.unit);
  if (fps !== undefined && !(Number.isInteger(fps) && fps >= 1 && fps <= MAX_FPS)) {
    throw wrong("fps", fps, `an integer from 1 to ${MAX_FPS}`);
  }
  const isWhole = typeof seed === "bigint" || Number.isSafeInteger(seed ?? 0);
  if (seed !== undefined && !(isWhole && seed >= 0 && BigInt(seed) < 1n << 64n)) {
    throw wrong("seed", seed, "an integer from 0 to 2^53-1, or a bigint up to 2^64-1");
  }
}

function checkSide(name: string, pixels: number | undefined, limit: number, unit: number): void {
  if (pixels === undefined || (pixels > 0 && pixels % unit === 0 && pixels <= limit)) return;
  throw wrong(name, pixels, `a multiple of ${unit} from ${unit} to ${limit}`);
}

function wrong(name: string, value: number | bigint, expected: string): RangeError {
  return new RangeError(`Cannot open the world: ${name} is ${value}, expected ${expected}`);
}
