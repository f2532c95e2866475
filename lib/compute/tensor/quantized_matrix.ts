/**
 * Matrices of 8-bit or 4-bit numbers with a scale for every group of neighbours: weights of linear layers at a quarter
 * or an eighth of their size.
 *
 * @module
 */
import { floatToHalf, halfToFloat, toFloat32 } from "./half.ts";
import { formatShape, sameShape, ShapeError } from "./shape.ts";
import { tensorPart } from "./stored_tensor.ts";
import { f32, type Tensor, tensor } from "./tensor.ts";

/** Lengths that a group may have: what both devices can take apart quickly. */
export const groupSizes: readonly number[] = [16, 32, 64, 128, 256];

/** What a {@linkcode QuantizedMatrix} is made of. */
export interface QuantizedParts {
  /** Bits of a number. */
  readonly bits: 4 | 8;
  /** Rows N and columns K of the matrix. */
  readonly shape: readonly [rows: number, columns: number];
  /**
   * Unsigned numbers, each row filled up to whole groups: u8 [N, groups * groupSize * bits / 8]. Of two 4-bit numbers in
   * a byte the first is the low one.
   */
  readonly values: Tensor<"u8">;
  /** A factor for each group, [N, groups]; any float type. */
  readonly scales: Tensor;
  /** The number that stands for zero in each group, u8 [N, groups]; default the middle, 128 or 8. */
  readonly zeroPoints?: Tensor<"u8"> | undefined;
}

/** A matrix [N,K] whose element is (value - zero point) * scale; see {@linkcode quantizedMatrix}. */
export interface QuantizedMatrix extends QuantizedParts {
  /** What kind it is. */
  readonly kind: "quantized";
  /** Columns that share a scale, one of {@linkcode groupSizes}. */
  readonly groupSize: number;
  /** Groups of a row. */
  readonly groups: number;
}

/**
 * Joins the parts of a quantised matrix. The layout is that of ONNX Runtime's MatMulNBits, so that a file goes to every
 * device as it is.
 *
 * @throws {ShapeError} when the parts do not fit together.
 *
 * @example
 * ```ts ignore
 * const values = tensor("u8", [1, 16], new Uint8Array(16).fill(130));
 * const matrix = quantizedMatrix({ bits: 8, shape: [1, 3], values, scales: f32([1, 1], [0.5]) });
 * console.assert(dequantize(matrix).data.join() === "1,1,1");
 * ```
 */
export function quantizedMatrix(parts: QuantizedParts): QuantizedMatrix {
  const { bits, shape, values, scales, zeroPoints } = parts;
  const [rows, columns] = shape;
  const groups = scales.shape[1];
  const groupSize = values.shape[1] * 8 / bits / groups;
  const fail = (found: string) => {
    throw new ShapeError(`Cannot make a ${bits}-bit matrix ${formatShape(shape)}: ${found}`);
  };
  if (bits !== 4 && bits !== 8) fail(`it has ${bits} bits, expected 4 or 8`);
  if (!groupSizes.includes(groupSize)) {
    fail(
      `values ${formatShape(values.shape)} and scales ${formatShape(scales.shape)} make groups of ${groupSize}, ` +
        `expected one of ${groupSizes.join(", ")}`,
    );
  }
  if (groups !== Math.ceil(columns / groupSize)) {
    fail(`a row has ${groups} groups of ${groupSize}, expected ${Math.ceil(columns / groupSize)}`);
  }
  const expected = [rows, groups];
  if (values.shape.length !== 2 || values.shape[0] !== rows || values.dtype !== "u8") {
    fail(`values are ${values.dtype} ${formatShape(values.shape)}, expected u8 with ${rows} rows`);
  }
  if (!sameShape(scales.shape, expected) || !["f32", "f16", "bf16"].includes(scales.dtype)) {
    fail(`scales are ${scales.dtype} ${formatShape(scales.shape)}, expected floats ${formatShape(expected)}`);
  }
  if (zeroPoints && (!sameShape(zeroPoints.shape, expected) || zeroPoints.dtype !== "u8")) {
    fail(`zero points are ${zeroPoints.dtype} ${formatShape(zeroPoints.shape)}, expected u8 ${formatShape(expected)}`);
  }
  const beyond = zeroPoints?.data.find((zero) => zero >= 2 ** bits);
  if (beyond !== undefined) fail(`a zero point is ${beyond}, expected at most ${2 ** bits - 1}`);
  return { ...parts, kind: "quantized", groupSize, groups };
}

/** The numbers of some rows, [count,K]. */
export function dequantize(matrix: QuantizedMatrix, start = 0, count: number = matrix.shape[0] - start): Tensor<"f32"> {
  const { bits, shape: [, columns], groupSize, groups } = matrix;
  const bytesPerRow = groups * groupSize * bits / 8;
  const values = rowRange(matrix.values, start, count).data;
  const scales = toFloat32(rowRange(matrix.scales, start, count));
  const zeros = matrix.zeroPoints && rowRange(matrix.zeroPoints, start, count).data;
  const out = new Float32Array(count * columns);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < columns; column++) {
      const group = row * groups + Math.floor(column / groupSize);
      const byte = values[row * bytesPerRow + Math.floor(column * bits / 8)];
      const value = bits === 8 ? byte : column % 2 === 0 ? byte & 15 : byte >> 4;
      const zero = zeros?.[group] ?? 2 ** (bits - 1);
      out[row * columns + column] = (value - zero) * scales[group];
    }
  }
  return f32([count, columns], out);
}

/** Some neighbouring rows as a matrix of their own, which shares the memory. */
export function quantizedRows(matrix: QuantizedMatrix, start: number, count: number): QuantizedMatrix {
  const rows = <T extends Tensor>(t: T) => rowRange(t, start, count);
  return {
    ...matrix,
    shape: [count, matrix.shape[1]],
    values: rows(matrix.values),
    scales: rows(matrix.scales),
    zeroPoints: matrix.zeroPoints && rows(matrix.zeroPoints),
  };
}

function rowRange<T extends Tensor>(t: T, start: number, count: number): T {
  const [, width] = t.shape;
  return tensorPart(t, [count, width], start * width) as T;
}

/** How a matrix is rounded. */
interface QuantizeOptions {
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
