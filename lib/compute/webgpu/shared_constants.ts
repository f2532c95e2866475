/**
 * Weights on a device: every tensor is uploaded once, regardless of the number of programs that use it.
 *
 * @module
 */
import type { Tensor } from "../tensor/tensor.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation } from "./gpu_memory.ts";
import { paddedBytes, toDeviceBytes } from "./tensor_bytes.ts";
import type { Region } from "./lowering/view.ts";

/** Bytes after which an empty submission lets the driver free its upload buffers. */
const flushBytes = 64 * 2 ** 20;

/** A tensor and its form on the device: numbers of the device's types, or its bytes. */
export type ConstantSource = Extract<Region["source"], { readonly tensor: Tensor }>;

interface Shared {
  readonly allocation: Allocation;
  programs: number;
}

/** The constants of one device. */
export class SharedConstants {
  readonly #context: GpuContext;
  readonly #known: Readonly<Record<ConstantSource["kind"], Map<Tensor, Shared>>> = {
    constant: new Map(),
    packed: new Map(),
  };
  #unflushed = 0;
  #flushes = 0;

  constructor(context: GpuContext) {
    this.#context = context;
  }

  /**
   * Uploads tensors one after another, and waits between them until the driver has let go of its copies: ordinary memory
   * holds a few at a time. Each is owned as if by `acquire`; the function that is returned releases them all.
   */
  async load(sources: Iterable<ConstantSource>): Promise<() => void> {
    const loaded: ConstantSource[] = [];
    const release = () => {
      for (const source of loaded.splice(0)) this.release(source);
    };
    try {
      for (const source of sources) {
        const flushes = this.#flushes;
        await this.#context.guard("upload weights", () => this.acquire(source));
        loaded.push(source);
        if (flushes !== this.#flushes) await this.#context.wait(this.#context.device.queue.onSubmittedWorkDone());
      }
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The tensor's memory; every call is matched by a `release`. */
  acquire(source: ConstantSource): Allocation {
    const known = this.#known[source.kind];
    let entry = known.get(source.tensor);
    if (!entry) {
      entry = { allocation: this.#upload(source), programs: 0 };
      known.set(source.tensor, entry);
    }
    entry.programs++;
    return entry.allocation;
  }

  /** Releases the tensor's memory; the last program frees it. */
  release({ kind, tensor }: ConstantSource): void {
    const entry = this.#known[kind].get(tensor);
    if (!entry || --entry.programs > 0) return;
    this.#known[kind].delete(tensor);
    entry.allocation.release();
  }

  #upload({ kind, tensor }: ConstantSource): Allocation {
    const { device, memory, precision } = this.#context;
    const bytes = kind === "packed" ? paddedBytes(tensor.data) : toDeviceBytes(tensor, precision);
    const allocation = memory.allocate(bytes.byteLength);
    device.queue.writeBuffer(allocation.buffer, 0, bytes);
    this.#unflushed += bytes.byteLength;
    if (this.#unflushed >= flushBytes) {
      device.queue.submit([]);
      this.#unflushed = 0;
      this.#flushes++;
    }
    return allocation;
  }
}
