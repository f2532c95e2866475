/**
 * Admission: how many requests may run at a time, and in which order.
 *
 * @module
 */
import { type ActiveRequestStatus, type AdmittedRequest, type RequestInfo, RequestRecord } from "./admitted_request.ts";
import { type Clock, isoTime } from "./engine.ts";
import { Ending, linkSignals } from "./linked_signal.ts";
import { isTight } from "./memory/memory_guard.ts";
import type { Pressure } from "./memory/memory_limits.ts";
import { WaitQueue } from "./wait_queue.ts";
import { SvcError } from "../errors/svc_error.ts";

/** Milliseconds between two checks of a pressure that holds up requests. */
const PRESSURE_INTERVAL = 1000;

/** Options of a {@linkcode RequestQueue}. */
export interface RequestQueueOptions {
  /** Requests that may hold a slot at a time, at least 1. */
  readonly maxActiveRequests: number;
  /** Requests that may be queued, at least 1. */
  readonly maxQueuedRequests: number;
  readonly clock: Clock;
  /** The current pressure, freshly sampled. */
  readonly pressure: () => Promise<Pressure>;
  /** Creates a request id. */
  readonly newId: () => string;
}

/** The state of admission; times are ISO-8601. */
export interface AdmissionStatus {
  readonly maxActiveRequests: number;
  readonly activeRequests: number;
  readonly queuedRequests: number;
  readonly totalAdmittedRequests: number;
  /** Requests that ended for any reason but cancellation. */
  readonly totalCompletedRequests: number;
  /** Requests cancelled by their client, queued or active. */
  readonly totalCancelledRequests: number;
  /** Whether requests wait for memory although a slot is free. */
  readonly admissionPaused: boolean;
  /** The last sampled pressure. */
  readonly pressure: Pressure;
  readonly lastCancellationAt?: string;
  readonly lastSlotReleaseAt?: string;
  readonly activeRequestDetails: readonly ActiveRequestStatus[];
}

/**
 * The queue of everything that infers, loads or unloads: first come, first served. A cancelled request leaves the
 * queue, or frees its slot as soon as its work has ended. While memory is short, only one request at a time is
 * admitted.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #queue = new WaitQueue<{ model: string | undefined; take: () => void }>(() => this.#leave());
  readonly #active = new Set<RequestRecord>();
  readonly #stop = new Ending();
  #closed: Promise<void> | undefined;
  #onDrained = () => {};
  #admitting = false;
  #cancelCheck: (() => void) | undefined;
  #pressure: Pressure = "unknown";
  #admitted = 0;
  #completed = 0;
  #cancelled = 0;
  #cancelledAt: number | undefined;
  #releasedAt: number | undefined;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /**
   * Waits for a slot, runs `work`, and frees the slot when the work has settled.
   *
   * @throws {SvcError} `queue_full`, `server_stopping`.
   * @throws the reason of `signal` when it aborts while the request waits, and whatever `work` throws.
   */
  async run<T>(info: RequestInfo, signal: AbortSignal, work: (request: AdmittedRequest) => Promise<T>): Promise<T> {
    if (this.#closed) throw stopping();
    const { maxQueuedRequests, newId, clock } = this.#options;
    if (this.#queue.length >= maxQueuedRequests) {
      const message = `Cannot accept the request: ${this.#queue.length} are queued already, ` +
        `which is the maximum; try again later`;
      throw new SvcError("queue_full", message);
    }
    const link = linkSignals(signal, this.#stop);
    let record: RequestRecord | undefined;
    const take = () => {
      record = new RequestRecord(newId(), info, link.signal, clock);
      this.#active.add(record);
      this.#admitted++;
    };
    try {
      const turn = this.#queue.wait({ model: info.model, take }, signal);
      void this.#admit();
      await turn;
      link.signal.throwIfAborted(); // it may have been cancelled in the moment of its admission
      return await work(record!);
    } finally {
      link.unlink();
      if (record) this.#release(record, signal.aborted);
    }
  }

  /** Number of requests for a model, queued or active. */
  wantedBy(model: string): number {
    const active = [...this.#active].filter((record) => record.model === model);
    return active.length + this.#queue.items().filter((item) => item.model === model).length;
  }

  /**
   * Refuses new requests, rejects queued ones, and resolves when the last slot is free.
   *
   * @param deadline Cancels active requests when it aborts.
   */
  close(deadline: AbortSignal): Promise<void> {
    return this.#closed ??= this.#drain(deadline);
  }

  status(): AdmissionStatus {
    const { maxActiveRequests } = this.#options;
    return {
      maxActiveRequests,
      activeRequests: this.#active.size,
      queuedRequests: this.#queue.length,
      totalAdmittedRequests: this.#admitted,
      totalCompletedRequests: this.#completed,
      totalCancelledRequests: this.#cancelled,
      admissionPaused: this.#cancelCheck !== undefined,
      pressure: this.#pressure,
      ...(this.#cancelledAt === undefined ? {} : { lastCancellationAt: isoTime(this.#cancelledAt) }),
      ...(this.#releasedAt === undefined ? {} : { lastSlotReleaseAt: isoTime(this.#releasedAt) }),
      activeRequestDetails: [...this.#active].map((record) => record.status()),
    };
  }

  /** Admits queued requests. Sampling takes time, in which slots and the queue may change: both are checked again. */
  async #admit(): Promise<void> {
    if (this.#admitting) return;
    this.#admitting = true;
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    while (this.#slotIsWanted()) {
      if (this.#active.size > 0) {
        this.#pressure = await this.#options.pressure();
        if (!this.#slotIsWanted()) break;
        if (this.#active.size > 0 && isTight(this.#pressure)) {
          this.#cancelCheck = this.#options.clock.after(PRESSURE_INTERVAL, () => void this.#admit());
          break;
        }
      }
      this.#queue.head?.take();
      this.#queue.admitNext();
    }
    this.#admitting = false;
  }

  #slotIsWanted(): boolean {
    return this.#queue.length > 0 && this.#active.size < this.#options.maxActiveRequests;
  }

  /** A queued request was cancelled. */
  #leave(): void {
    this.#countCancellation();
    void this.#admit();
  }

  #release(record: RequestRecord, cancelled: boolean): void {
    this.#active.delete(record);
    this.#releasedAt = this.#options.clock.now();
    if (cancelled) this.#countCancellation();
    else this.#completed++;
    if (this.#active.size === 0) this.#onDrained();
    void this.#admit();
  }

  #countCancellation(): void {
    this.#cancelled++;
    this.#cancelledAt = this.#options.clock.now();
  }

  async #drain(deadline: AbortSignal): Promise<void> {
    this.#queue.rejectAll(stopping());
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    if (this.#active.size === 0) return;
    const drained = new Promise<void>((resolve) => this.#onDrained = resolve);
    const cancel = () => this.#stop.end(stopping());
    if (deadline.aborted) cancel();
    deadline.addEventListener("abort", cancel);
    await drained;
    deadline.removeEventListener("abort", cancel);
  }
}

function stopping(): SvcError {
  return new SvcError("server_stopping", "Cannot take the request: the server is stopping, start it again");
}
