/**
 * Borders that repeat the outermost pixels.
 *
 * @module
 */
import { concat, slice, type Value } from "../../compute/tensor/mod.ts";

/** One more row and column on every side; x [N,C,H,W] -> [N,C,H+2,W+2]. */
export function replicatePad(x: Value): Value {
  return repeatEnds(repeatEnds(x, 2), 3);
}

function repeatEnds(x: Value, axis: number): Value {
  return concat([slice(x, { axis, end: 1 }), x, slice(x, { axis, start: -1 })], axis);
}
