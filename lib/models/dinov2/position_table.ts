/**
 * Learned positions of patches on grids of another size.
 *
 * @module
 */
import { f32, type Tensor, toFloat32 } from "../../compute/tensor/mod.ts";
import { resampleAxis } from "../images/resample.ts";
import { cubicKernel, interpolationTaps } from "../images/taps.ts";
import type { PatchGrid } from "./config.ts";

/**
 * How far two patches lie apart in the table. `offset` is what the PyTorch code of DINO and DINOv2 does: side / (n + 0.1),
 * once meant to keep a division from falling short of a whole number; `size` is the plain side / n of ONNX exports.
 */
export type PositionStep = "offset" | "size";

const OFFSET = 0.1;
const kernel = cubicKernel(-0.75);

/**
 * The table [1,1+side*side,D] (class token first) on another grid, resized bicubically: [1+rows*columns,D]. It stays
 * as it is when the grid is the table's own.
 */
export function positionTable(table: Tensor, { rows, columns }: PatchGrid, step: PositionStep): Tensor<"f32"> {
  const [, length, width] = table.shape;
  const side = Math.round(Math.sqrt(length - 1));
  const stored = toFloat32(table);
  if (rows === side && columns === side) return f32([length, width], stored);
  const extra = step === "offset" ? OFFSET : 0;
  const taps = (n: number) => interpolationTaps(side, n, kernel, side / (n + extra));
  const wide = resampleAxis(stored.subarray(width), side, side, width, taps(columns));
  const patches = resampleAxis(wide, 1, side, columns * width, taps(rows));
  const out = new Float32Array((1 + rows * columns) * width);
  out.set(stored.subarray(0, width));
  out.set(patches, width);
  return f32([1 + rows * columns, width], out);
}
