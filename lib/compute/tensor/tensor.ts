/**
 * A tensor in ordinary memory.
 *
 * @module
 */
import type { DType, DTypeArrays } from "./dtype.ts";
import { checkShape, formatShape, type Shape, ShapeError, sizeOf } from "./shape.ts";

/** A dense row-major tensor in ordinary memory. */
export interface Tensor<D extends DType = DType> {
  /** Precision that it runs in. */
  readonly dtype: D;
  /** Length of each dimension. */
  readonly shape: Shape;
  /** The elements, in row-major order. */
  readonly data: DTypeArrays[D];
}

/**
 * Wraps an array as a tensor without copying it.
 *
 * @throws {ShapeError} when the array does not hold exactly the elements of the shape.
 *
 * @example
 * ```ts
 * import { tensor } from "@svc/sdk/compute";
 * const t = tensor("f32", [2, 3], new Float32Array(6));
 * console.assert(t.data.length === 6);
 * ```
 */
export function tensor<D extends DType>(dtype: D, shape: Shape, data: DTypeArrays[D]): Tensor<D> {
  checkShape("make a tensor", shape);
  if (data.length !== sizeOf(shape)) {
    throw new ShapeError(
      `Cannot make a tensor: shape ${formatShape(shape)} has ${sizeOf(shape)} elements, the array has ${data.length}`,
    );
  }
  return { dtype, shape, data };
}

/** An `f32` tensor from an array or a list of numbers. */
export function f32(shape: Shape, data: Float32Array | readonly number[]): Tensor<"f32"> {
  return tensor("f32", shape, data instanceof Float32Array ? data : Float32Array.from(data));
}

/** An `i32` tensor from an array or a list of numbers. */
export function i32(shape: Shape, data: Int32Array | readonly number[]): Tensor<"i32"> {
  return tensor("i32", shape, data instanceof Int32Array ? data : Int32Array.from(data));
}
