/**
 * Operators that only move data.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import {
  broadcastShapes,
  checkShape,
  formatShape,
  resolveAxis,
  sameShape,
  type Shape,
  ShapeError,
  sizeOf,
} from "../shape.ts";

/** The same elements with another shape; one axis may be -1 and is inferred. */
export function reshape(x: Value, shape: Shape): Value {
  const known = shape.reduce((n, d) => (d === -1 ? n : n * d), 1);
  const full = shape.map((d) => (d === -1 ? sizeOf(x.shape) / known : d));
  checkShape(`reshape ${formatShape(x.shape)} to ${formatShape(shape)}`, full);
  if (sizeOf(full) !== sizeOf(x.shape)) {
    throw new ShapeError(`Cannot reshape ${formatShape(x.shape)} to ${formatShape(shape)}: the element counts differ`);
  }
  return sameShape(full, x.shape) ? x : x.graph.push({ kind: "reshape" }, [x], full, x.type);
}

/** Output axis i is input axis permutation[i]. */
export function transpose(x: Value, permutation: readonly number[]): Value {
  const seen = new Set(permutation);
  if (permutation.length !== x.shape.length || seen.size !== x.shape.length || ![...seen].every((a) => a in x.shape)) {
    throw new ShapeError(`Cannot transpose ${formatShape(x.shape)} by ${formatShape(permutation)}: not a permutation`);
  }
  if (permutation.every((a, i) => a === i)) return x;
  return x.graph.push({ kind: "transpose", permutation }, [x], permutation.map((a) => x.shape[a]), x.type);
}

/** A range of one axis. */
export interface SliceRange {
  /** Index of the dimension. */
  readonly axis: number;
  /** First element; negative counts from the end; default 0. */
  readonly start?: number;
  /** One past the last element; negative counts from the end; default the size. */
  readonly end?: number;
  /** Positive; default 1. */
  readonly step?: number;
}

/** The elements within the ranges; other axes are not sliced. */
export function slice(x: Value, ...ranges: readonly SliceRange[]): Value {
  const starts = x.shape.map(() => 0);
  const ends = [...x.shape];
  const steps = x.shape.map(() => 1);
  for (const r of ranges) {
    const axis = resolveAxis("slice", x.shape, r.axis);
    const size = x.shape[axis];
    const from = (i: number) => (i < 0 ? i + size : i);
    [starts[axis], ends[axis], steps[axis]] = [from(r.start ?? 0), from(r.end ?? size), r.step ?? 1];
    if (!(starts[axis] >= 0 && starts[axis] < ends[axis] && ends[axis] <= size && steps[axis] > 0)) {
      throw new ShapeError(
        `Cannot slice axis ${axis} of ${formatShape(x.shape)} from ${r.start ?? 0} to ${r.end ?? size} by ${
          steps[axis]
        }`,
      );
    }
  }
  const shape = x.shape.map((_, i) => Math.ceil((ends[i] - starts[i]) / steps[i]));
  return sameShape(shape, x.shape) ? x : x.graph.push({ kind: "slice", starts, ends, steps }, [x], shape, x.type);
}

/** Joins values along an axis; all other axes must be equal. */
export function concat(values: readonly Value[], axis: number): Value {
  if (values.length === 0) throw new ShapeError("Cannot concat: no values were given");
  const [first] = values;
  const at = resolveAxis("concat", first.shape, axis);
  for (const v of values) {
    if (
      v.shape.length !== first.shape.length || v.type !== first.type ||
      v.shape.some((d, i) => i !== at && d !== first.shape[i])
    ) {
      throw new ShapeError(
        `Cannot concat ${
          values.map((u) => formatShape(u.shape)).join(", ")
        } along axis ${at}: other axes or types differ`,
      );
    }
  }
  if (values.length === 1) return first;
  const shape = [...first.shape];
  shape[at] = values.reduce((n, v) => n + v.shape[at], 0);
  return first.graph.push({ kind: "concat", axis: at }, values, shape, first.type);
}

/** Cuts an axis into parts of the given sizes. */
export function split(x: Value, sizes: readonly number[], axis: number): Value[] {
  const at = resolveAxis("split", x.shape, axis);
  if (sizes.reduce((n, d) => n + d, 0) !== x.shape[at]) {
    throw new ShapeError(`Cannot split axis ${at} of ${formatShape(x.shape)} into ${formatShape(sizes)}`);
  }
  let start = 0;
  return sizes.map((size) => slice(x, { axis: at, start, end: start += size }));
}

/** Zeros before and after every axis. */
export function pad(x: Value, before: readonly number[], after: readonly number[]): Value {
  const fits = before.length === x.shape.length && after.length === x.shape.length;
  if (!fits || [...before, ...after].some((n) => !Number.isInteger(n) || n < 0)) {
    throw new ShapeError(
      `Cannot pad ${formatShape(x.shape)} by ${formatShape(before)} and ${formatShape(after)}: one number >= 0 an axis`,
    );
  }
  const shape = x.shape.map((d, i) => before[i] + d + after[i]);
  return sameShape(shape, x.shape) ? x : x.graph.push({ kind: "pad", before, after }, [x], shape, x.type);
}

/** Elements of an axis at integer indices; indices out of range are undefined behavior of the device. */
export function gather(x: Value, indices: Value, axis = 0): Value {
  if (indices.type !== "int") throw new ShapeError("Cannot gather: the indices must be integers");
  const at = resolveAxis("gather", x.shape, axis);
  const shape = [...x.shape.slice(0, at), ...indices.shape, ...x.shape.slice(at + 1)];
  return x.graph.push({ kind: "gather", axis: at }, [x, indices], shape, x.type);
}

/** Repeats axes of size 1 up to the shape, as elementwise operators do implicitly. */
export function broadcastTo(x: Value, shape: Shape): Value {
  if (!sameShape(broadcastShapes("broadcast", x.shape, shape), shape)) {
    throw new ShapeError(`Cannot broadcast ${formatShape(x.shape)} to ${formatShape(shape)}`);
  }
  return sameShape(x.shape, shape) ? x : x.graph.push({ kind: "broadcast", shape }, [x], shape, x.type);
}

/** x [..,H,W] with every element repeated `scale` times in both directions (nearest neighbour). */
export function upsample(x: Value, scale: number): Value {
  if (x.shape.length < 3 || !Number.isInteger(scale) || scale < 1) {
    throw new ShapeError(`Cannot upsample ${formatShape(x.shape)} by ${scale}: needs [..,C,H,W] and a whole factor`);
  }
  if (scale === 1) return x;
  const [h, w] = x.shape.slice(-2);
  return x.graph.push({ kind: "upsample", scale }, [x], [...x.shape.slice(0, -2), h * scale, w * scale], x.type);
}
