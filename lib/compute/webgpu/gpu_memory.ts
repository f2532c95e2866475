/**
 * Buffers of a device: counted, and reused after their release.
 *
 * @module
 */
import { bufferUsage } from "./gpu_constants.ts";

/** Maximum number of idle buffers kept for reuse. */
const idleLimit = 256 * 2 ** 20;

const usage = bufferUsage.storage | bufferUsage.copySource | bufferUsage.copyDestination;

/** A reference-counted storage buffer. The last release makes it available again. */
export class Allocation {
  /** Unlike a buffer, never reused. */
  readonly id: number;
  readonly buffer: GPUBuffer;
  readonly #free: () => void;
  #owners = 1;

  constructor(id: number, buffer: GPUBuffer, free: () => void) {
    this.id = id;
    this.buffer = buffer;
    this.#free = free;
  }

  /** Adds an owner. */
  retain(): this {
    this.#owners++;
    return this;
  }

  /** Gives up one ownership. */
  release(): void {
    if (--this.#owners === 0) this.#free();
  }
}

/**
 * The storage buffers of one device. Work is queued in order, so a buffer may be reused while it is still being read.
 */
export class GpuMemory {
  readonly #device: GPUDevice;
  readonly #idle = new Map<number, GPUBuffer[]>();
  #idleBytes = 0;
  #nextId = 0;
  /** Bytes of all buffers, idle ones included. */
  allocated = 0;
  /** The largest value of `allocated` so far. */
  peak = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /**
   * A buffer of at least `bytes` bytes with undefined contents.
   *
   * @throws {RangeError} when the device cannot have a buffer of that size.
   */
  allocate(bytes: number): Allocation {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const limit = this.#device.limits.maxBufferSize;
    if (size > limit) {
      throw new RangeError(
        `Cannot allocate ${bytes} bytes: the device's buffers have at most ${limit} bytes (maxBufferSize), ` +
          "use a smaller model or another device",
      );
    }
    const buffer = this.#take(size) ?? this.#create(size);
    return new Allocation(this.#nextId++, buffer, () => this.#give(buffer));
  }

  /** Counts bytes of a buffer allocated elsewhere (negative to uncount). */
  count(bytes: number): void {
    this.allocated += bytes;
    this.peak = Math.max(this.peak, this.allocated);
  }

  /** Destroys the idle buffers. */
  trim(): void {
    for (const buffers of this.#idle.values()) {
      for (const buffer of buffers) this.#destroy(buffer);
    }
    this.#idle.clear();
    this.#idleBytes = 0;
  }

  #take(size: number): GPUBuffer | undefined {
    const buffer = this.#idle.get(size)?.pop();
    if (buffer) this.#idleBytes -= size;
    return buffer;
  }

  #create(size: number): GPUBuffer {
    this.count(size);
    return this.#device.createBuffer({ size, usage });
  }

  #give(buffer: GPUBuffer): void {
    if (this.#idleBytes + buffer.size > idleLimit) return this.#destroy(buffer);
    const same = this.#idle.get(buffer.size);
    if (same) same.push(buffer);
    else this.#idle.set(buffer.size, [buffer]);
    this.#idleBytes += buffer.size;
  }

  #destroy(buffer: GPUBuffer): void {
    this.count(-buffer.size);
    buffer.destroy();
  }
}
