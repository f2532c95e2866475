/**
 * Batch rollouts on one worker: it runs them in slots that no world uses, and interrupts them when worlds arrive.
 *
 * @module
 */
import { compareAndSet, holdTicket, insist, type TicketOutcome } from "./compare_and_set.ts";
import type { ClusterClock, Entry } from "./broker.ts";
import {
  hasEnded,
  MOST_ATTEMPTS,
  type RolloutBroker,
  type RolloutRecord,
  type RolloutResult,
} from "./rollout_records.ts";

/** A rollout that no attempt can make. */
export class RolloutRefused extends Error {
  override name = "RolloutRefused";
}

/** What a worker works with. */
export interface RolloutWorkerOptions {
  readonly broker: RolloutBroker;
  readonly clock: ClusterClock;
  readonly worker: string;
  readonly epoch: string;
  readonly pool: string;
  /** Slots that no world has or waits for. */
  readonly free: () => number;
  /** Whether it may take rollouts: its lease is sound. */
  readonly isReady: () => boolean;
  /** Another id each time. */
  readonly newId: () => string;
  /**
   * Makes a rollout; ends early when `signal` aborts.
   *
   * @throws {RolloutRefused} when another attempt would fail as well.
   */
  readonly run: (record: RolloutRecord, signal: AbortSignal) => Promise<RolloutResult>;
  /** Called when an attempt has failed. */
  readonly onFailure?: (key: string, error: unknown) => void;
  /** Ends attempts to reach the broker. */
  readonly signal: AbortSignal;
}

/** Milliseconds that it waits for a ticket at a time, and between two looks at its slots. */
const TAKE = 1000;
const LOOK = 100;

/** Characters of a reason that are kept. */
const MAX_REASON = 500;

/** Takes rollouts, one for every free slot. */
export class RolloutWorker {
  readonly #options: RolloutWorkerOptions;
  readonly #running = new Map<string, AbortController>();
  readonly #stop = new AbortController();
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: RolloutWorkerOptions) {
    this.#options = options;
  }

  /** Rollouts that run. */
  get used(): number {
    return this.#running.size;
  }

  /** Takes rollouts until it is drained. */
  start(): void {
    this.#loops = Promise.all([this.#take(), this.#giveUp()]);
  }

  /** Leaves all rollouts to other workers, and accepts no more. */
  async drain(): Promise<void> {
    this.#stop.abort();
    for (const running of this.#running.values()) running.abort();
    await this.#loops;
  }

  async #take(): Promise<void> {
    const { broker, clock, pool, free, isReady } = this.#options;
    const { signal } = this.#stop;
    const works = new Set<Promise<void>>();
    while (!signal.aborted) {
      if (this.used >= free() || !isReady()) {
        await clock.wait(LOOK, signal);
        continue;
      }
      const taken = await broker.tickets.take(pool, TAKE, signal).catch(() => null);
      if (taken === null) await clock.wait(500, signal);
      if (!taken) continue;
      const key = taken.ticket.session;
      if (signal.aborted || this.used >= free()) {
        await taken.nak(0).catch(() => {});
        continue;
      }
      if (this.#running.has(key)) {
        await taken.nak(broker.ackWait).catch(() => {});
        continue;
      }
      const stop = new AbortController();
      this.#running.set(key, stop);
      const onError = (error: unknown): void => this.#options.onFailure?.(key, error);
      const hold = { clock, ackWait: broker.ackWait, onError };
      const work = holdTicket(taken, hold, () => this.#attempt(key, stop.signal)).finally(() => {
        this.#running.delete(key);
        works.delete(work);
      });
      works.add(work);
    }
    await Promise.all(works);
  }

  /** Worlds go first: where they have all slots, the rollouts that began last end between two blocks. */
  async #giveUp(): Promise<void> {
    const { clock, free } = this.#options;
    while (!this.#stop.signal.aborted) {
      await clock.wait(LOOK, this.#stop.signal);
      [...this.#running.values()].slice(Math.max(0, free())).forEach((running) => running.abort());
    }
  }

  /** Makes one attempt; returns what has become of the ticket. */
  async #attempt(key: string, stop: AbortSignal): Promise<TicketOutcome> {
    const { broker, clock, worker, epoch, newId, run, signal } = this.#options;
    const entry = await insist(clock, () => broker.rollouts.get(key), signal);
    if (!entry || hasEnded(entry.value)) return "done";
    if (await this.#runsElsewhere(entry.value)) return broker.ackWait / 2;
    const { owner: _left, ...rest } = entry.value;
    if (rest.attempt >= MOST_ATTEMPTS) {
      const reason = rest.reason ?? `the worker was lost in each of ${MOST_ATTEMPTS} attempts`;
      const set = await this.#set(key, entry, { ...rest, phase: "failed", reason });
      return set ? "done" : "lost";
    }
    const owner = { worker, epoch, claim: newId() };
    const isOurs = (found: RolloutRecord): boolean => found.owner?.claim === owner.claim;
    const attempt = rest.attempt + 1;
    const claimed = await compareAndSet(
      { bucket: broker.rollouts, clock, signal },
      key,
      entry,
      { ...rest, phase: "running", attempt, owner },
      isOurs,
    );
    if (!claimed) return "lost";
    let next: RolloutRecord;
    let delay = 0;
    try {
      if (stop.aborted) throw new Error("given up"); // the claim took long
      const result = await run(claimed.value, stop);
      const { reason: _old, ...kept } = rest;
      next = { ...kept, attempt, phase: "done", result };
    } catch (error) {
      if (stop.aborted) {
        next = { ...rest, phase: "waiting" };
      } else {
        this.#options.onFailure?.(key, error);
        const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
        const isFinal = error instanceof RolloutRefused || attempt >= MOST_ATTEMPTS;
        next = { ...rest, attempt, phase: isFinal ? "failed" : "waiting", reason };
        delay = 500 * 2 ** attempt;
      }
    }
    if (!await this.#set(key, claimed, next)) return "lost";
    return hasEnded(next) ? "done" : delay;
  }

  /** Whether a worker that lives has it; this one does not, or it would not have taken the ticket. */
  async #runsElsewhere({ phase, owner }: RolloutRecord): Promise<boolean> {
    const { broker, clock, epoch, signal } = this.#options;
    if (phase !== "running" || !owner || owner.epoch === epoch) return false;
    const found = await insist(clock, () => broker.workers.get(owner.worker), signal);
    return found?.value.epoch === owner.epoch;
  }

  async #set(key: string, before: Entry<RolloutRecord>, next: RolloutRecord): Promise<boolean> {
    const { broker, clock, signal } = this.#options;
    const text = JSON.stringify(next);
    const isOurs = (found: RolloutRecord): boolean => JSON.stringify(found) === text;
    return await compareAndSet({ bucket: broker.rollouts, clock, signal }, key, before, next, isOurs) !== undefined;
  }
}
