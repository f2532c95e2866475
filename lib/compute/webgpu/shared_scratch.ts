/**
 * Scratch memory shared by the programs of a device: they run one after the other, so they can use the same buffers.
 *
 * @module
 */
import type { Allocation, GpuMemory } from "./gpu_memory.ts";

/** A buffer and the number of programs that use it. */
interface Slot {
  readonly allocation: Allocation;
  readonly bytes: number;
  programs: number;
}

/** The scratch buffers of one device. */
export class SharedScratch {
  readonly #memory: GpuMemory;
  readonly #slots = new Set<Slot>();

  constructor(memory: GpuMemory) {
    this.#memory = memory;
  }

  /** Distinct buffers of at least the given sizes, and the function that releases them. */
  lease(sizes: readonly number[]): { allocations: Allocation[]; release: () => void } {
    const leased = new Map<number, Slot>();
    const release = () => {
      for (const slot of leased.values()) this.#give(slot);
    };
    try {
      const largestFirst = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]);
      for (const i of largestFirst) {
        const taken = new Set(leased.values());
        const fits = [...this.#slots].filter((slot) => !taken.has(slot) && slot.bytes >= sizes[i]);
        const slot = fits.sort((a, b) => a.bytes - b.bytes)[0] ?? this.#add(sizes[i]);
        slot.programs++;
        leased.set(i, slot);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { allocations: sizes.map((_, i) => leased.get(i)!.allocation), release };
  }

  #add(bytes: number): Slot {
    const slot = { allocation: this.#memory.allocate(bytes), bytes, programs: 0 };
    this.#slots.add(slot);
    return slot;
  }

  #give(slot: Slot): void {
    if (--slot.programs > 0) return;
    this.#slots.delete(slot);
    slot.allocation.release();
  }
}
