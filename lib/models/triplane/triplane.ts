/**
 * A field in space, stored on three planes.
 *
 * @module
 */
import { reshape, type Tensor, toFloat32, transpose, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { transposedConvolution } from "../layers/convolution.ts";

/** Which coordinates lie along the columns and the rows of each plane; 0 is x, 1 is y, 2 is z. */
export type PlaneAxes = readonly (readonly [column: number, row: number])[];

/** Three planes of features, and where a point is looked up on each. */
export class Triplane {
  /** Numbers that a point gets: the channels of one plane after the other. */
  readonly width: number;
  readonly #axes: PlaneAxes;
  readonly #channels: number;
  readonly #side: number;
  /** [3,row,column,channel]: what a point reads is contiguous. */
  readonly #planes: Float32Array;
  readonly #extent: number;

  /**
   * @param planes [3,C,R,R]
   * @param extent Coordinate of the planes' edges.
   */
  constructor(planes: Tensor, axes: PlaneAxes, extent: number) {
    const [count, channels, side] = planes.shape;
    const stored = toFloat32(planes);
    const size = side * side;
    const data = new Float32Array(stored.length);
    for (let p = 0; p < count; p++) {
      for (let c = 0; c < channels; c++) {
        const from = (p * channels + c) * size;
        for (let at = 0; at < size; at++) data[(p * size + at) * channels + c] = stored[from + at];
      }
    }
    this.width = count * channels;
    this.#axes = axes;
    this.#channels = channels;
    this.#side = side;
    this.#planes = data;
    this.#extent = extent;
  }

  /**
   * Features of points, linear between the centres of a plane's cells and zero beyond its edges.
   *
   * @param points [N,3]
   * @param out [N,width]
   */
  sample(points: Float32Array, out: Float32Array): void {
    const side = this.#side;
    const { fround } = Math;
    const extent = fround(this.#extent);
    // In 32 bits, step by step, as the networks were trained: a plane can be steep.
    const cell = (v: number) => {
      const share = fround(fround(v + extent) / fround(2 * extent));
      const unit = fround(fround(share * 2) - 1);
      return fround((fround(unit + 1) * side - 1) / 2);
    };
    const count = points.length / 3;
    for (let p = 0; p < this.#axes.length; p++) {
      const [u, v] = this.#axes[p];
      const plane = p * side * side;
      for (let n = 0; n < count; n++) {
        const x = cell(points[3 * n + u]);
        const y = cell(points[3 * n + v]);
        const at = n * this.width + p * this.#channels;
        // Written so that NaN counts as outside.
        if (!(x > -1 && x < side && y > -1 && y < side)) {
          out.fill(0, at, at + this.#channels);
          continue;
        }
        const [column, row] = [Math.floor(x), Math.floor(y)];
        this.#blend(out, at, plane, column, row, x - column, y - row);
      }
    }
  }

  /** The four cells around a place, weighted; cells outside count as zero. */
  #blend(out: Float32Array, at: number, plane: number, column: number, row: number, right: number, down: number): void {
    const side = this.#side;
    const channels = this.#channels;
    const planes = this.#planes;
    const inside = (c: number, r: number) => c >= 0 && c < side && r >= 0 && r < side;
    const a = inside(column, row) ? (1 - right) * (1 - down) : 0;
    const b = inside(column + 1, row) ? right * (1 - down) : 0;
    const c = inside(column, row + 1) ? (1 - right) * down : 0;
    const d = inside(column + 1, row + 1) ? right * down : 0;
    // A cell outside is read at a place that exists; its weight is zero.
    const cell = (col: number, r: number) =>
      (plane + Math.min(Math.max(r, 0), side - 1) * side + Math.min(Math.max(col, 0), side - 1)) * channels;
    const [ia, ib] = [cell(column, row), cell(column + 1, row)];
    const [ic, id] = [cell(column, row + 1), cell(column + 1, row + 1)];
    for (let k = 0; k < channels; k++) {
      out[at + k] = a * planes[ia + k] + b * planes[ib + k] + c * planes[ic + k] + d * planes[id + k];
    }
  }
}

/** Tokens [3*S*S,C] (plane, row, column) to planes twice as fine, [3,O,2S,2S]. */
export function tokensToPlanes(tokens: Value, weights: Weights): Value {
  const [count, width] = tokens.shape;
  const side = Math.round(Math.sqrt(count / 3));
  const maps = transpose(reshape(tokens, [3, side * side, width]), [0, 2, 1]);
  return transposedConvolution(reshape(maps, [3, width, side, side]), weights);
}
