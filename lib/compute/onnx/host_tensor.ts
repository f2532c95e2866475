/**
 * The tensors of the CPU device, and the memory that they take: counted, and given back before garbage is collected.
 *
 * @module
 */
import { freeArray } from "../../platform/rpc/rpc_service.ts";
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
  async read(into?: Float32Array): Promise<Tensor<"f32"> | Tensor<"i32">> {
    const data = this.data;
    if (!(data instanceof Float32Array)) return tensor("i32", this.shape, data.slice());
    if (!into) return tensor("f32", this.shape, data.slice());
    const copy = tensor("f32", this.shape, into);
    into.set(data);
    return copy;
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
    this.#ledger.spare.give(this.#data);
    this.#data = undefined;
  }
}

/** Bytes of spare arrays that are kept at most. */
const MAX_SPARE = 32 * 2 ** 20;

/**
 * Arrays that nothing reads any more, for the results of later runs. A new array costs the system clean pages and the
 * collector its time: for a block of the embedded world 14 ms on Node.
 */
export class SpareArrays {
  /** Oldest first. */
  readonly #arrays: (Float32Array | Int32Array)[] = [];
  #bytes = 0;
  #most = MAX_SPARE;

  /** An array with any elements. */
  take(type: ValueType, length: number): Float32Array | Int32Array {
    const isFloat = type === "float";
    const at = this.#arrays.findLastIndex((each) => each.length === length && each instanceof Float32Array === isFloat);
    if (at < 0) return isFloat ? new Float32Array(length) : new Int32Array(length);
    const [found] = this.#arrays.splice(at, 1);
    this.#bytes -= found.byteLength;
    return found;
  }

  /** Keeps an array, for as long as younger ones leave room for it; a large one would leave none for others. */
  give(array: Float32Array | Int32Array): void {
    if (array.byteLength > this.#most / 4) return freeArray(array);
    this.#arrays.push(array);
    this.#bytes += array.byteLength;
    this.#shrink();
  }

  /** Frees all, and what comes from now on. */
  close(): void {
    this.#most = 0;
    this.#shrink();
  }

  #shrink(): void {
    while (this.#bytes > this.#most) {
      const oldest = this.#arrays.shift()!;
      this.#bytes -= oldest.byteLength;
      freeArray(oldest);
    }
  }
}

/** Bytes in use, now and at most, and what was in use. */
export class MemoryLedger {
  allocated = 0;
  peak = 0;
  readonly spare: SpareArrays = new SpareArrays();

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
