/**
 * The entry by which a worker is known to live.
 *
 * @module
 */
import { RETRY } from "./compare_and_set.ts";
import { BrokerRefusal, type Bucket, type ClusterClock, type WorkerRecord } from "./broker.ts";

/** What a lease works with. */
export interface WorkerLeaseOptions {
  readonly workers: Bucket<WorkerRecord>;
  readonly clock: ClusterClock;
  readonly worker: string;
  /** Milliseconds until it expires. */
  readonly lease: number;
  /** What the entry says now. */
  readonly record: () => WorkerRecord;
  /** Called when it was renewed after it may have expired: sessions may have gone to others. */
  readonly onLapse?: () => void;
  /** Called after every renewal, with the error of one that was not taken. */
  readonly onRenewal?: (error?: unknown) => void;
}

/** Another process has this worker's name. */
export class NameTakenError extends Error {
  override name = "NameTakenError";

  constructor(worker: string) {
    super(`Cannot join as worker ${worker}: another process has this name, choose another with --name`);
  }
}

/** Renews the entry of a worker four times in its life. */
export class WorkerLease {
  readonly #options: WorkerLeaseOptions;
  #revision = 0;
  /** When the last renewal that succeeded was sent. */
  #renewed = -Infinity;
  #changed: AbortController = new AbortController();

  constructor(options: WorkerLeaseOptions) {
    this.#options = options;
  }

  /** Whether no other process can consider the worker dead; it ends a quarter before the entry does. */
  get isSound(): boolean {
    const { clock, lease } = this.#options;
    return clock.now() - this.#renewed < 0.75 * lease;
  }

  /**
   * Makes the entry; repeated until the broker answers.
   *
   * @throws {NameTakenError}
   */
  async register(signal?: AbortSignal): Promise<void> {
    while (!await this.#renew()) {
      if (signal?.aborted) return;
      await this.#options.clock.wait(RETRY, signal);
    }
  }

  /** Renews the entry until `signal` aborts. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, lease } = this.#options;
    let wait = lease / 4;
    while (!signal.aborted) {
      const changed = new AbortController();
      const wake = (): void => changed.abort();
      signal.addEventListener("abort", wake, { once: true });
      this.#changed = changed;
      await clock.wait(wait, changed.signal);
      signal.removeEventListener("abort", wake);
      if (signal.aborted) return;
      const lapsed = !this.isSound;
      const renewed = await this.#renew().catch((error) => {
        if (!(error instanceof NameTakenError)) throw error;
        this.#options.onRenewal?.(error);
        return false;
      });
      if (renewed && lapsed) this.#options.onLapse?.();
      wait = renewed ? lease / 4 : Math.min(RETRY, lease / 20);
    }
  }

  /** The record has changed: publishes it at once. */
  changed(): void {
    this.#changed.abort();
  }

  /** Removes the entry. */
  async leave(): Promise<void> {
    await this.#options.workers.remove(this.#options.worker, this.#revision).catch(() => {});
  }

  /** Whether the broker has answered. */
  async #renew(): Promise<boolean> {
    const { workers, clock, worker, record, onRenewal } = this.#options;
    const sent = clock.now();
    try {
      this.#revision = this.#revision === 0
        ? await workers.create(worker, record())
        : await workers.update(worker, record(), this.#revision);
      this.#renewed = sent;
      onRenewal?.();
      return true;
    } catch (error) {
      if (!(error instanceof BrokerRefusal)) {
        onRenewal?.(error);
        return false;
      }
    }
    const found = await workers.get(worker).catch(() => null);
    if (found === null) return false;
    if (found && found.value.epoch !== record().epoch) throw new NameTakenError(worker);
    // The next attempt follows at once: it replaces what is there now.
    this.#revision = found?.revision ?? 0;
    return false;
  }
}
