/**
 * Rounds matrices to 8 or 4 bits.
 *
 * @module
 */
import { floatToHalf, halfToFloat, toFloat32 } from "./half.ts";
import { groupSizes, type QuantizedMatrix, quantizedMatrix } from "./quantized_matrix.ts";
import { formatShape, ShapeError } from "./shape.ts";
import { f32, type Tensor, tensor } from "./tensor.ts";

/** How a matrix is rounded. */
export interface QuantizeOptions {
  /** Bits of a weight. */
  readonly bits: 4 | 8;
  /** Columns that share a scale; default 32. */
  readonly groupSize?: number;
}

/** Scales that a 16-bit float holds to a percent; a matrix with others keeps all of its scales in 32 bits. */
const isHalf = (scale: number) => scale === 0 || (Math.abs(scale) >= 2 ** -18 && Math.abs(scale) < 65504);

/** Of 4-bit numbers, smaller scales than the one that reaches the largest weight often have the smaller error. */
const SHRINKS: Readonly<Record<4 | 8, readonly number[]>> = { 4: [1, 0.95, 0.9, 0.85, 0.8], 8: [1] };

/**
 * A matrix [N,K] rounded symmetrically, group by group.
 *
 * With 8 bits the largest weight of a group becomes 127 or -127. With 4 bits it becomes -8, whatever its sign is (the
 * scale may be negative), and of a few scales the one with the smallest squared error is taken. A group of zeros has
 * the scale 0.
 *
 * @throws {ShapeError} if it is not a matrix, the group size is not one of {@linkcode groupSizes} or a number is not
 * finite.
 */
export function quantize(weight: Tensor, { bits, groupSize = 32 }: QuantizeOptions): QuantizedMatrix {
  const [rows, columns] = weight.shape;
  if (weight.shape.length !== 2) {
    throw new ShapeError(`Cannot quantise ${formatShape(weight.shape)}: expected a matrix`);
  }
  if (!groupSizes.includes(groupSize)) {
    throw new ShapeError(`Cannot quantise in groups of ${groupSize}: expected one of ${groupSizes.join(", ")}`);
  }
  const source = toFloat32(weight);
  const groups = Math.ceil(columns / groupSize);
  const middle = 2 ** (bits - 1);
  const values = new Uint8Array(rows * groups * groupSize * bits / 8);
  const scales = new Float32Array(rows * groups);
  for (let group = 0; group < scales.length; group++) {
    const row = Math.floor(group / groups);
    const first = (group % groups) * groupSize;
    const part = source.subarray(row * columns + first, row * columns + Math.min(first + groupSize, columns));
    const scale = scales[group] = bestScale(part, bits);
    for (let i = 0; i < groupSize; i++) {
      const value = middle + (i < part.length ? nearest(part[i], scale, bits) : 0);
      const at = group * groupSize + i;
      if (bits === 8) values[at] = value;
      else values[at >> 1] |= value << (at % 2 * 4);
    }
  }
  return quantizedMatrix({
    bits,
    shape: [rows, columns],
    values: tensor("u8", [rows, values.length / rows], values),
    scales: scales.every(isHalf)
      ? tensor("f16", [rows, groups], Uint16Array.from(scales, floatToHalf))
      : f32([rows, groups], scales),
  });
}

/** The scale with the smallest squared error, as it will be stored. */
function bestScale(part: Float32Array, bits: 4 | 8): number {
  let largest = 0;
  for (const x of part) {
    if (!Number.isFinite(x)) throw new ShapeError(`Cannot quantise a matrix: it holds ${x}, expected finite numbers`);
    if (Math.abs(x) > Math.abs(largest)) largest = x;
  }
  const full = bits === 8 ? Math.abs(largest) / 127 : largest / -8;
  let best = stored(full);
  if (best === 0 || SHRINKS[bits].length === 1) return best;
  let least = Infinity;
  for (const shrink of SHRINKS[bits]) {
    const scale = stored(full * shrink);
    let error = 0;
    for (const x of part) error += (nearest(x, scale, bits) * scale - x) ** 2;
    if (error < least) [least, best] = [error, scale];
  }
  return best;
}

function stored(scale: number): number {
  return isHalf(scale) ? halfToFloat(floatToHalf(scale)) : Math.fround(scale);
}

function nearest(x: number, scale: number, bits: 4 | 8): number {
  if (scale === 0) return 0;
  const limit = 2 ** (bits - 1);
  return Math.max(bits === 8 ? 1 - limit : -limit, Math.min(limit - 1, Math.round(x / scale)));
}
