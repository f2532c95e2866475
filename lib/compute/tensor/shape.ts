/**
 * Shapes: row-major, static, outermost axis first.
 *
 * @module
 */

/** Sizes of the axes, outermost first; `[]` is a scalar. */
export type Shape = readonly number[];

/** Thrown when shapes or operator arguments do not match; says what was given and what was expected. */
export class ShapeError extends TypeError {
  /** Name of the class. */
  override name = "ShapeError";
}

/** Number of elements of a shape. */
export function sizeOf(shape: Shape): number {
  let n = 1;
  for (const d of shape) n *= d;
  return n;
}

/** A shape as text, such as `[2,3]`. */
export function formatShape(shape: Shape): string {
  return `[${shape.join(",")}]`;
}

/** Whether both shapes have the same axes. */
export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((d, i) => d === b[i]);
}

/** Row-major strides in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let n = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = n;
    n *= shape[i];
  }
  return strides;
}

/** Converts an axis that may count from the end into an index, or throws. */
export function resolveAxis(what: string, shape: Shape, axis: number): number {
  const resolved = axis < 0 ? axis + shape.length : axis;
  if (!Number.isInteger(axis) || resolved < 0 || resolved >= shape.length) {
    throw new ShapeError(`Cannot ${what}: axis ${axis} is outside a tensor of shape ${formatShape(shape)}`);
  }
  return resolved;
}

/** NumPy broadcasting of two shapes, aligned at the last axis; axes must be equal or 1. */
export function broadcastShapes(what: string, a: Shape, b: Shape): number[] {
  const rank = Math.max(a.length, b.length);
  const out = new Array<number>(rank);
  for (let i = 0; i < rank; i++) {
    const x = a[i - rank + a.length] ?? 1;
    const y = b[i - rank + b.length] ?? 1;
    if (x !== y && x !== 1 && y !== 1) {
      throw new ShapeError(
        `Cannot ${what}: shapes ${formatShape(a)} and ${formatShape(b)} do not broadcast, axes must be equal or 1`,
      );
    }
    out[i] = x === 1 ? y : x;
  }
  return out;
}

/** Throws unless every size is a positive integer. */
export function checkShape(what: string, shape: Shape): void {
  if (!shape.every((d) => Number.isInteger(d) && d > 0)) {
    throw new ShapeError(`Cannot ${what}: every axis must be a positive integer, shape is ${formatShape(shape)}`);
  }
}
