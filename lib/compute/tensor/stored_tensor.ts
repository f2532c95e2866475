/**
 * Tensors whose elements stay in a file until they are asked for.
 *
 * @module
 */
import { type Shape, sizeOf } from "./shape.ts";
import { bytesPerElement, type DType, type DTypeArrays, type Tensor, viewElements } from "./tensor.ts";

/** Reads exactly `length` bytes from `offset` of a tensor's bytes. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** A tensor in a file. Every use of its `data` reads it again, so that nothing of it stays in ordinary memory. */
export class FileTensor<D extends DType = DType> implements Tensor<D> {
  readonly dtype: D;
  readonly shape: Shape;
  readonly #first: number;
  readonly #read: ReadBytes;

  /** @param first Number of its first element, counted from the start of what is read. */
  constructor(dtype: D, shape: Shape, read: ReadBytes, first = 0) {
    this.dtype = dtype;
    this.shape = shape;
    this.#first = first;
    this.#read = read;
  }

  get data(): DTypeArrays[D] {
    const bytes = bytesPerElement(this.dtype);
    const count = sizeOf(this.shape);
    const { buffer, byteOffset } = this.#read(this.#first * bytes, count * bytes);
    return viewElements(this.dtype, buffer, byteOffset, count);
  }

  /** See {@linkcode observedTensor}. */
  observed(onRead: (bytes: number) => void): Tensor<D> {
    const read: ReadBytes = (offset, length) => {
      onRead(length);
      return this.#read(offset, length);
    };
    return new FileTensor(this.dtype, this.shape, read, this.#first);
  }

  /** See {@linkcode tensorPart}. */
  part(shape: Shape, first: number): Tensor<D> {
    return new FileTensor(this.dtype, shape, this.#read, this.#first + first);
  }
}

/** The same tensor; `onRead` is called with the bytes of each read. */
export function observedTensor<D extends DType>(t: Tensor<D>, onRead: (bytes: number) => void): Tensor<D> {
  return t instanceof FileTensor ? t.observed(onRead) : t;
}

/** Neighbouring elements of a tensor, from number `first` on, as a tensor of this shape that shares their memory. */
export function tensorPart<D extends DType>(t: Tensor<D>, shape: Shape, first = 0): Tensor<D> {
  if (t instanceof FileTensor) return t.part(shape, first);
  const whole = first === 0 && sizeOf(shape) === sizeOf(t.shape);
  const data = whole ? t.data : t.data.subarray(first, first + sizeOf(shape)) as DTypeArrays[D];
  return { dtype: t.dtype, shape, data };
}
