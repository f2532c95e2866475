/**
 * Buffers of a device: counted, and reused after their release.
 *
 * @module
 */

// The numbers of WebGPU's flag constants (sections 5.1.3 and 5.2.2 of the specification). Dawn does not define the
// global names, and a library must not.

/** `GPUBufferUsage`. */
export const bufferUsage = {
  mapRead: 0x0001,
  copySource: 0x0004,
  copyDestination: 0x0008,
  uniform: 0x0040,
  storage: 0x0080,
} as const;

/** `GPUMapMode.READ`. */
export const mapModeRead = 0x0001;

/** Idle bytes that are kept on every device: WebGPU promises one buffer of this size everywhere. */
const smallestIdleLimit = 256 * 2 ** 20;

/** Maximum number of idle bytes on any device: other programs share its memory. */
const largestIdleLimit = 2 ** 31;

const usage = bufferUsage.storage | bufferUsage.copySource | bufferUsage.copyDestination;

/** A reference-counted storage buffer. The last release makes it available again. */
export class Allocation {
  /** Names the buffer: two allocations have the same number when they have the same buffer, one after the other. */
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

/** A storage buffer and its number, which no other buffer of the device ever has. */
interface Numbered {
  readonly id: number;
  readonly buffer: GPUBuffer;
}

/**
 * The storage buffers of one device. Work is queued in order, so a buffer may be reused while it is still being read.
 *
 * A new buffer costs more than its allocation, since WebGPU writes zeros into it first. So idle ones are kept, as many as
 * the device's largest buffer suggests that it has memory for (WebGPU does not say how much that is), and a request also
 * takes one that is up to an eighth too large. Beyond 256 MiB they never raise the peak: where a new buffer would, the
 * oldest idle ones are destroyed first.
 */
export class GpuMemory {
  readonly #device: GPUDevice;
  readonly #idleLimit: number;
  /** The least recently released first. */
  readonly #idle = new Set<Numbered>();
  readonly #onDestroyed = new Set<(id: number) => void>();
  #idleBytes = 0;
  #nextId = 0;
  /** Bytes of all buffers, idle ones included. */
  allocated = 0;
  /** The largest value of `allocated` so far. */
  peak = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
    const half = device.limits.maxBufferSize / 2;
    this.#idleLimit = Math.max(smallestIdleLimit, Math.min(half, largestIdleLimit));
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
    const numbered = this.#take(size) ?? this.#create(size);
    return new Allocation(numbered.id, numbered.buffer, () => this.#give(numbered));
  }

  /** Counts bytes of a buffer allocated elsewhere (negative to uncount). */
  count(bytes: number): void {
    this.allocated += bytes;
    this.peak = Math.max(this.peak, this.allocated);
  }

  /** Calls the listener with the number of every buffer that is destroyed, until the function that it returns is called. */
  onDestroyed(listener: (id: number) => void): () => void {
    this.#onDestroyed.add(listener);
    return () => this.#onDestroyed.delete(listener);
  }

  /** Destroys the idle buffers. */
  trim(): void {
    for (const numbered of this.#idle) this.#destroy(numbered);
  }

  /** The smallest idle buffer that fits; of equal ones the oldest, so that equal runs get equal buffers. */
  #take(size: number): Numbered | undefined {
    let best: Numbered | undefined;
    for (const numbered of this.#idle) {
      const has = numbered.buffer.size;
      if (has < size || has > size * 1.125) continue;
      const smaller = best && has - best.buffer.size;
      if (!best || smaller! < 0 || smaller === 0 && numbered.id < best.id) best = numbered;
    }
    if (best) this.#forget(best);
    return best;
  }

  #create(size: number): Numbered {
    for (const numbered of this.#idle) {
      if (this.allocated + size <= this.peak || this.#idleBytes <= smallestIdleLimit) break;
      this.#destroy(numbered);
    }
    this.count(size);
    return { id: this.#nextId++, buffer: this.#device.createBuffer({ size, usage }) };
  }

  #give(numbered: Numbered): void {
    this.#idle.add(numbered);
    this.#idleBytes += numbered.buffer.size;
    for (const oldest of this.#idle) {
      if (this.#idleBytes <= this.#idleLimit) break;
      this.#destroy(oldest);
    }
  }

  #forget(numbered: Numbered): void {
    this.#idle.delete(numbered);
    this.#idleBytes -= numbered.buffer.size;
  }

  #destroy(numbered: Numbered): void {
    this.#forget(numbered);
    this.count(-numbered.buffer.size);
    numbered.buffer.destroy();
    for (const listener of this.#onDestroyed) listener(numbered.id);
  }
}
