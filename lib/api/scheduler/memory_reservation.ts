/**
 * Finds room in memory for what is about to be loaded.
 *
 * @module
 */
import { ReadWriteLock } from "./read_write_lock.ts";
import { evictedUnderPressure, evictionOrder, type IdleModel, type ModelKind } from "./eviction_order.ts";
import { orAbort } from "./linked_signal.ts";
import { isTight, type MemoryGuard, type MemoryReading } from "./memory_guard.ts";
import { showBytes } from "./show_bytes.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What a load or an operation is about to take. */
export interface MemoryNeed {
  readonly model: string;
  readonly kind: ModelKind;
  readonly bytes: number;
}

/** Keeps account of the memory that is promised but not yet taken, and frees some where it is short. */
export class MemoryReservation {
  readonly #guard: MemoryGuard;
  readonly #idle: () => IdleModel[];
  readonly #lock = new ReadWriteLock();
  #reserved = 0;
  #onRelease: () => void = () => {};
  #relief: Promise<MemoryReading> | undefined;

  /** @param idle All loaded models that nobody uses at this moment. */
  constructor(guard: MemoryGuard, idle: () => IdleModel[]) {
    this.#guard = guard;
    this.#idle = idle;
  }

  /** Bytes that are promised now. */
  get reservedBytes(): number {
    return this.#reserved;
  }

  /**
   * Takes memory while some work needs it beyond what is measured: until a load has ended, say. Idle models make room
   * one at a time, each followed by a fresh sample; when that is not enough, it waits for promises that are about to
   * end, and fails when there are none.
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

  /** Measures, and frees what the pressure demands; returns the last measurement. Calls at the same time share one. */
  relieve(): Promise<MemoryReading> {
    return this.#relief ??= this.#relieve().finally(() => this.#relief = undefined);
  }

  async #reserve(need: MemoryNeed, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const reserved = this.#reserved;
      const reading = await this.#guard.read(reserved + need.bytes);
      const { pressure } = reading;
      const next = isTight(pressure) ? evictionOrder(need.kind, pressure, this.#idle())[0] : undefined;
      if (next) await next.evict();
      else if (pressure !== "critical") break;
      else if (reserved === 0) throw this.#tooMuch(need, reading);
      else if (reserved === this.#reserved) await orAbort(this.#nextRelease(), signal);
    }
    this.#reserved += need.bytes;
  }

  /** Only the load whose turn it is waits for this. */
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

  #tooMuch({ model, bytes }: MemoryNeed, { missingBytes }: MemoryReading): SvcError {
    const message = `Cannot load model ${model}: it needs ${showBytes(bytes)}, ${showBytes(missingBytes)} more than ` +
      `the memory guard (${this.#guard.settings.tier}) can give, and no idle model is left to unload; ` +
      `unload a pinned model, wait until another request has ended, or choose a smaller model`;
    return new SvcError("memory_pressure", message);
  }
}
