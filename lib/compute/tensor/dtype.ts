/**
 * Element types of tensors, their sizes and the arrays that hold them.
 *
 * @module
 */

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
