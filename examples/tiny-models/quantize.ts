/**
 * Weights of 4 and 8 bits.
 *
 * @module
 */
import { floatToHalf, halfToFloat } from "../../lib/tensor/mod.ts";

/** Weights that share a scale. */
export const BLOCK = 32;

/** Whole numbers in blocks of {@linkcode BLOCK}, each block with a scale that fits into 16 bits. */
export interface Blocks {
  /** One byte each. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

/**
 * Rounds to -8 to 7, as GGML's Q4_0 does: the largest weight of a block becomes -8, so scales have both signs.
 *
 * @param weights Rows of whole blocks.
 */
export function quantize4(weights: Float32Array): Blocks {
  return quantize(weights, (largest) => largest / -8, (value) => Math.min(7, Math.max(-8, value)));
}

/** Rounds to -127 to 127, as GGML's Q8_0 does. */
export function quantize8(weights: Float32Array): Blocks {
  return quantize(weights, (largest) => Math.abs(largest) / 127, (value) => Math.min(127, Math.max(-127, value)));
}

function quantize(
  weights: Float32Array,
  scaleOf: (largest: number) => number,
  clamp: (value: number) => number,
): Blocks {
  const values = new Int8Array(weights.length);
  const scales = new Float32Array(weights.length / BLOCK);
  for (let block = 0; block < scales.length; block++) {
    const start = block * BLOCK;
    let largest = 0;
    for (let i = start; i < start + BLOCK; i++) {
      if (Math.abs(weights[i]) > Math.abs(largest)) largest = weights[i];
    }
    const scale = halfToFloat(floatToHalf(scaleOf(largest)));
    scales[block] = scale;
    if (scale === 0) continue;
    for (let i = start; i < start + BLOCK; i++) values[i] = clamp(Math.round(weights[i] / scale));
  }
  return { values, scales };
}
