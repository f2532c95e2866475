/**
 * Matrices of 8-bit or 4-bit numbers with a scale for every group of neighbours: weights of linear layers at a quarter
 * or an eighth of their size.
 *
 * @module
 */
import { toFloat32 } from "./half.ts";
import { formatShape, sameShape, ShapeError } from "./shape.ts";
import { tensorPart } from "./stored_tensor.ts";
import { f32, type Tensor } from "./tensor.ts";

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
