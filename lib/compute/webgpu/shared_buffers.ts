/**
 * What the programs of a device share: every weight is uploaded once, regardless of the number of programs that use
 * it; and scratch memory, since they run one after the other.
 *
 * @module
 */
import { RunQueue } from "../tensor/device.ts";
import type { GpuContext } from "./gpu_context.ts";
import type { Allocation, GpuMemory } from "./gpu_memory.ts";
import { constantBytes, constantKey, type ConstantSource, uploadWeights } from "./weight_upload.ts";

interface Shared {
  readonly allocation: Allocation;
  programs: number;
}

/** The constants of one device. */
export class SharedConstants {
  readonly #context: GpuContext;
  readonly #known: Readonly<Record<ConstantSource["kind"], Map<ReturnType<typeof constantKey>, Shared>>> = {
    constant: new Map(),
    arranged: new Map(),
    packed: new Map(),
  };
  /** One after the other: what is known has been uploaded. */
  readonly #loads = new RunQueue();

  constructor(context: GpuContext) {
    this.#context = context;
  }

  /** Uploads what is missing of different constants. Each is owned as if by `acquire`; the function that is returned releases them all. */
  load(sources: Iterable<ConstantSource>): Promise<() => void> {
    return this.#loads.add(() => this.#load([...sources]));
  }

  /** The memory of a tensor that a `load` still owns; every call is matched by a `release`. */
  acquire(source: ConstantSource): Allocation {
    const entry = this.#known[source.kind].get(constantKey(source));
    if (!entry) throw new Error("Cannot acquire constant: it has not been uploaded");
    entry.programs++;
    return entry.allocation;
  }

  /** Releases the tensor's memory; the last program frees it. */
  release(source: ConstantSource): void {
    const [known, key] = [this.#known[source.kind], constantKey(source)];
    const entry = known.get(key);
    if (!entry || --entry.programs > 0) return;
    known.delete(key);
    entry.allocation.release();
  }

  async #load(sources: readonly ConstantSource[]): Promise<() => void> {
    const { memory, precision } = this.#context;
    const owned: ConstantSource[] = [];
    const release = () => {
      for (const source of owned.splice(0)) this.release(source);
    };
    const own = (source: ConstantSource): Allocation => {
      const allocation = this.acquire(source);
      owned.push(source);
      return allocation;
    };
    const missing: ConstantSource[] = [];
    for (const source of sources) {
      if (this.#known[source.kind].has(constantKey(source))) own(source);
      else missing.push(source);
    }
    const place = (source: ConstantSource): Allocation => {
      const allocation = memory.allocate(constantBytes(source, precision));
      this.#known[source.kind].set(constantKey(source), { allocation, programs: 0 });
      return own(source);
    };
    try {
      await uploadWeights(this.#context, missing, place);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}

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
