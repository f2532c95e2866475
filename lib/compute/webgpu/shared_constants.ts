/**
 * Weights on a device: every tensor is uploaded once, whatever number of programs use it.
 *
 * @module
 */
import type { Tensor } from "../tensor/tensor.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation } from "./gpu_memory.ts";
import { toDeviceBytes } from "./tensor_bytes.ts";

/** Bytes after which an empty submission lets the driver free what it copied uploads through. */
const flushBytes = 64 * 2 ** 20;

/** The constants of one device. */
export class SharedConstants {
  readonly #context: GpuContext;
  readonly #known = new Map<Tensor, { allocation: Allocation; programs: number }>();
  #unflushed = 0;

  constructor(context: GpuContext) {
    this.#context = context;
  }

  /** The tensor's memory; every call is matched by a `release`. */
  acquire(t: Tensor): Allocation {
    let entry = this.#known.get(t);
    if (!entry) {
      entry = { allocation: this.#upload(t), programs: 0 };
      this.#known.set(t, entry);
    }
    entry.programs++;
    return entry.allocation;
  }

  /** Gives the tensor's memory back; the last program frees it. */
  release(t: Tensor): void {
    const entry = this.#known.get(t);
    if (!entry || --entry.programs > 0) return;
    this.#known.delete(t);
    entry.allocation.release();
  }

  #upload(t: Tensor): Allocation {
    const { device, memory, precision } = this.#context;
    const bytes = toDeviceBytes(t, precision);
    const allocation = memory.allocate(bytes.byteLength);
    device.queue.writeBuffer(allocation.buffer, 0, bytes);
    this.#unflushed += bytes.byteLength;
    if (this.#unflushed >= flushBytes) {
      device.queue.submit([]);
      this.#unflushed = 0;
    }
    return allocation;
  }
}
