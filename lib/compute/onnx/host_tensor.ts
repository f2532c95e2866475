/**
 * The tensors of the CPU device, and the memory that they take: counted, and given back before garbage is collected.
 *
 * @module
 */
import type { DeviceTensor } from "../tensor/device.ts";
import type { ValueType } from "../tensor/graph.ts";
import { formatShape, type Shape } from "../tensor/shape.ts";
import { type Tensor, tensor } from "../tensor/tensor.ts";

/** A tensor in ordinary memory, accessible only to its device. */
export class HostTensor implements DeviceTensor {
  readonly shape: Shape;
  readonly type: ValueType;
  readonly byteLength: number;
  readonly #ledger: MemoryLedger;
  #data: Float32Array | Int32Array | undefined;
  #owners = 1;
  #readers = 0;

  /** Takes ownership of the array; the caller must not write to it any more. */
  constructor(ledger: MemoryLedger, shape: Shape, data: Float32Array | Int32Array) {
    this.shape = shape;
    this.type = data instanceof Float32Array ? "float" : "int";
    this.byteLength = data.byteLength;
    this.#ledger = ledger;
    this.#data = data;
    ledger.take(this.byteLength);
  }

  /** The elements themselves, for the device only. */
  get data(): Float32Array | Int32Array {
    if (!this.#data || this.#owners === 0) {
      throw new Error(`Cannot use a tensor of shape ${formatShape(this.shape)}: it was released, retain it before`);
    }
    return this.#data;
  }

  /** A copy, so that no caller can change a shared tensor. */
  // deno-lint-ignore require-await -- a released tensor rejects, as it does on every device
  async read(): Promise<Tensor<"f32"> | Tensor<"i32">> {
    const data = this.data;
    return data instanceof Float32Array
      ? tensor("f32", this.shape, data.slice())
      : tensor("i32", this.shape, data.slice());
  }

  retain(): DeviceTensor {
    if (this.data) this.#owners++;
    return this;
  }

  release(): void {
    if (this.#owners === 0 || --this.#owners > 0) return;
    this.#ledger.give(this.byteLength);
    this.#free();
  }

  /** The elements for a run, which stay as they are until {@linkcode giveBack}, also when the tensor is released. */
  borrow(): Float32Array | Int32Array {
    const { data } = this;
    this.#readers++;
    return data;
  }

  /** Ends one {@linkcode borrow}. */
  giveBack(): void {
    this.#readers--;
    this.#free();
  }

  #free(): void {
    if (!this.#data || this.#owners + this.#readers > 0) return;
    freeArray(this.#data);
    this.#data = undefined;
  }
}

/**
 * Frees the memory of an array that nothing reads any more, where the runtime can detach a buffer (Deno, Node from 21
 * on). Elsewhere it is freed by the garbage collector, which does not account for memory outside its heap.
 */
export function freeArray({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength === buffer.byteLength) (buffer as { transfer?(length: number): unknown }).transfer?.(0);
}

/** Bytes in use, now and at most. */
export class MemoryLedger {
  allocated = 0;
  peak = 0;

  /** Counts an allocation. */
  take(bytes: number): void {
    this.allocated += bytes;
    this.peak = Math.max(this.peak, this.allocated);
  }

  /** Counts a release. */
  give(bytes: number): void {
    this.allocated -= bytes;
  }
}
