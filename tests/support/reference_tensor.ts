/**
 * Tensors of the reference operators.
 *
 * @module
 */
import { type Shape, sizeOf, stridesOf } from "../../lib/compute/tensor/shape.ts";

/** A tensor in 64-bit floats. */
export interface Reference {
  readonly shape: Shape;
  readonly data: Float64Array;
}

/** Fills a tensor element by element from its index along every axis. */
export function generate(shape: Shape, element: (index: readonly number[]) => number): Reference {
  const index = shape.map(() => 0);
  const data = new Float64Array(sizeOf(shape));
  for (let i = 0; i < data.length; i++) {
    data[i] = element(index);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return { shape, data };
}

/** The element at an index; axes of size 1 and missing leading axes are broadcast. */
export function at(x: Reference, index: readonly number[]): number {
  const strides = stridesOf(x.shape);
  const skip = index.length - x.shape.length;
  return x.data[x.shape.reduce((offset, size, i) => offset + (size === 1 ? 0 : index[skip + i] * strides[i]), 0)];
}
