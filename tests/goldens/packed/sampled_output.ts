/**
 * An expected output of which a sample is kept, and what its rows and columns are on average. A wrong tile, row, column
 * or plane, or one number that is far off, changes averages by more than numbers may differ by; the sample shows what
 * leaves them alone.
 *
 * @module
 */
import { sizeOf } from "../../../lib/compute/tensor/mod.ts";

/** How many numbers of an output are kept. */
export const SAMPLE = 16_384;

/** What is kept of an output. */
export interface SampledOutput {
  readonly shape: readonly number[];
  /** The numbers at {@linkcode samplePlaces}. */
  readonly values: Float32Array;
  /** The mean of every row, which is a line along the last axis. */
  readonly rows: Float32Array;
  /** The mean of every column, which is a line along the axis before it. */
  readonly columns: Float32Array;
}

/** Which numbers are kept: steps of nearly the golden section spread them evenly; the first and the last are there. */
export function samplePlaces(count: number): Uint32Array {
  let step = Math.round(count * (Math.sqrt(5) - 1) / 2);
  while (greatestDivisor(step, count) > 1) step++;
  const places = Uint32Array.from({ length: SAMPLE }, (_, i) => (i * step) % count);
  places[SAMPLE - 1] = count - 1;
  return places.sort();
}

/** Means of the lines along the last axis, and along the one before it. */
export function lineMeans(
  data: ArrayLike<number>,
  shape: readonly number[],
): { readonly rows: Float64Array; readonly columns: Float64Array } {
  const { width, height } = linesOf(shape);
  const count = sizeOf(shape) / width;
  const rows = new Float64Array(count);
  const columns = new Float64Array(count / height * width);
  for (let row = 0; row < count; row++) {
    const plane = Math.floor(row / height) * width;
    for (let x = 0; x < width; x++) {
      const value = data[row * width + x];
      rows[row] += value / width;
      columns[plane + x] += value / height;
    }
  }
  return { rows, columns };
}

/** How many numbers rows and columns have. */
function linesOf(shape: readonly number[]): { readonly width: number; readonly height: number } {
  if (shape.length < 2) throw new RangeError("Cannot take means of rows and columns: the output has a single axis");
  return { width: shape[shape.length - 1], height: shape[shape.length - 2] };
}

/** The sample and the means of an output. */
export function sampleOutput(data: ArrayLike<number>, shape: readonly number[]): SampledOutput {
  const { rows, columns } = lineMeans(data, shape);
  const values = Float32Array.from(samplePlaces(sizeOf(shape)), (at) => data[at]);
  return { shape, values, rows: Float32Array.from(rows), columns: Float32Array.from(columns) };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
