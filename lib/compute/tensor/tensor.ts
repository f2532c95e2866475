/**
 * A tensor in ordinary memory, and the types of its elements.
 *
 * @module
 */
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

/** Element type of a stored tensor. `f16` and `bf16` are held as their 16 bits. */
export type DType = "f32" | "f16" | "bf16" | "i32" | "i8" | "u8";

/** The typed array that holds each element type; `f16` and `bf16` are raw 16-bit patterns. */
export interface DTypeArrays {
  /** 32-bit floats. */
  f32: Float32Array;
  /** 16-bit floats, as bits. */
  f16: Uint16Array;
  /** bfloat16, as bits. */
  bf16: Uint16Array;
  /** 32-bit integers. */
  i32: Int32Array;
  /** 8-bit signed integers. */
  i8: Int8Array;
  /** 8-bit unsigned integers. */
  u8: Uint8Array;
}

/** Any array that can hold tensor elements. */
export type TensorData = DTypeArrays[DType];

const constructors = {
  f32: Float32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i32: Int32Array,
  i8: Int8Array,
  u8: Uint8Array,
} as const;

/** Bytes that one element occupies. */
export function bytesPerElement(dtype: DType): number {
  return constructors[dtype].BYTES_PER_ELEMENT;
}

/** Views `length` elements of `buffer` from `byteOffset`; copies when the offset is not aligned for the type. */
export function viewElements<D extends DType>(
  dtype: D,
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
): DTypeArrays[D] {
  const Ctor = constructors[dtype];
  const bytes = Ctor.BYTES_PER_ELEMENT;
  const aligned = byteOffset % bytes === 0;
  const source = aligned ? buffer : buffer.slice(byteOffset, byteOffset + length * bytes);
  return new Ctor(source as ArrayBuffer, aligned ? byteOffset : 0, length) as DTypeArrays[D];
}

/** Allocates `length` zero elements. */
export function zeroElements<D extends DType>(dtype: D, length: number): DTypeArrays[D] {
  return new constructors[dtype](length) as DTypeArrays[D];
}
