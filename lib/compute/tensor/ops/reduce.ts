/**
 * Reductions; the reduced axes stay with size 1.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import type { ReduceFunction } from "../op.ts";
import { resolveAxis, ShapeError } from "../shape.ts";
import { requireFloat } from "./elementwise.ts";

function reduce(fn: ReduceFunction, x: Value, axes: readonly number[]): Value {
  requireFloat(fn, x);
  if (axes.length === 0) throw new ShapeError(`Cannot reduce by ${fn}: no axes were given`);
  const sorted = [...new Set(axes.map((a) => resolveAxis(`reduce by ${fn}`, x.shape, a)))].sort((a, b) => a - b);
  return x.graph.push({ kind: "reduce", fn, axes: sorted }, [x], x.shape.map((d, i) => (sorted.includes(i) ? 1 : d)));
}

/** Sum along axes. */
export function reduceSum(x: Value, axes: readonly number[]): Value {
  return reduce("sum", x, axes);
}
/** Mean along axes. */
export function reduceMean(x: Value, axes: readonly number[]): Value {
  return reduce("mean", x, axes);
}
/** Largest element along axes. */
export function reduceMax(x: Value, axes: readonly number[]): Value {
  return reduce("max", x, axes);
}
/** Smallest element along axes. */
export function reduceMin(x: Value, axes: readonly number[]): Value {
  return reduce("min", x, axes);
}
