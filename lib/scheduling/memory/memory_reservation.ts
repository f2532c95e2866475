/**
 * Reserves memory for loads and operations.
 *
 * @module
 */
import { ReadWriteLock } from "../read_write_lock.ts";
import {
  crowdedOut,
  type DeviceMemory,
  evictedUnderPressure,
  evictionOrder,
  type IdleModel,
  type ModelKind,
} from "./eviction_order.ts";
import { orAbort } from "../linked_signal.ts";
import { isTight, type MemoryGuard, type MemoryReading } from "./memory_guard.ts";
import { showBytes } from "../../errors/show.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What a load or an operation is about to allocate. */
export interface MemoryNeed {
  readonly model: string;
  readonly kind: ModelKind;
  readonly bytes: number;
  /** Whether the model is loaded, and this is for an operation alone. */
  readonly loaded?: boolean;
}

/** Tracks memory that is reserved but not yet allocated, and evicts idle models when memory is short. */
export class MemoryReservation {
  readonly #guard: MemoryGuard;
  readonly #idle: () => IdleModel[];
  readonly #device: () => DeviceMemory | undefined;
  readonly #lock = new ReadWriteLock();
  #reserved = 0;
  #onRelease: () => void = () => {};
  #relief: Promise<MemoryReading> | undefined;

  /**
   * @param idle All models that are loaded and idle at the moment.
   * @param device The GPU that text models are loaded on; undefined for none.
   */
  constructor(
    guard: MemoryGuard,
    idle: () => IdleModel[],
    device: () => DeviceMemory | undefined = () => undefined,
  ) {
    this.#guard = guard;
    this.#idle = idle;
    this.#device = device;
  }

  /** Bytes reserved now. */
  get reservedBytes(): number {
    return this.#reserved;
  }

  /**
   * Reserves memory that is not yet measured while `work` runs, such as for a load. Idle models are evicted one at a
   * time, each followed by a fresh sample; if that is not enough, it waits for other reservations to end, and fails
   * when there are none.
   *
   * @throws {SvcError} `memory_pressure` with what is missing.
   * @throws the reason of `signal` when it aborts before the work has begun.
   */
  async during<T>(need: MemoryNeed, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#lock.run({ signal, exclusive: () => true }, () => this.#reserve(need, signal));
    try {
      return await work();
    } finally {
      this.#reserved -= need.bytes;
      this.#onRelease();
    }
  }

  /** Measures, evicts what the pressure demands, and returns the last reading. Concurrent calls share one run. */
  relieve(): Promise<MemoryReading> {
    return this.#relief ??= this.#relieve().finally(() => this.#relief = undefined);
  }

  async #reserve(need: MemoryNeed, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const reserved = this.#reserved;
      const reading = await this.#guard.read(reserved + need.bytes);
      const { pressure } = reading;
      const next = isTight(pressure)
        ? evictionOrder(need.kind, pressure, this.#idle())[0]
        : need.kind === "text" && need.loaded !== true
        ? crowdedOut(this.#device(), need.bytes, this.#idle())
        : undefined;
      if (next) await next.evict();
      else if (pressure !== "critical") break;
      else if (reserved === 0) throw this.#tooMuch(need, reading);
      else if (reserved === this.#reserved) await orAbort(this.#nextRelease(), signal);
    }
    this.#reserved += need.bytes;
  }

  /** Only the holder of the lock waits for this. */
  #nextRelease(): Promise<void> {
    return new Promise((resolve) => this.#onRelease = resolve);
  }

  async #relieve(): Promise<MemoryReading> {
    let reading = await this.#guard.read();
    if (reading.pressure === "elevated") {
      await Promise.all(this.#idle().filter(({ queued }) => !queued).map((model) => model.trim()));
      reading = await this.#guard.read();
    }
    const freed = evictedUnderPressure(reading.pressure, this.#idle());
    if (freed.length === 0) return reading;
    await Promise.all(freed.map((model) => model.evict()));
    return await this.#guard.read();
  }

  #tooMuch({ model, bytes, loaded = false }: MemoryNeed, { missingBytes }: MemoryReading): SvcError {
    const what = loaded ? `run the request on model ${model}` : `load model ${model}`;
    const message = `Cannot ${what}: it needs ${showBytes(bytes)}, ${showBytes(missingBytes)} more than ` +
      `the memory guard (${this.#guard.settings.tier}) can give, and no idle model is left to unload; ` +
      `unload a pinned model, wait for another request to finish, or choose a smaller model${
        loaded ? " or request" : ""
      }`;
    return new SvcError("memory_pressure", message);
  }
}
