/**
 * Holds tenants to their quotas, over all gateways of a fleet.
 *
 * @module
 */
import { compareAndSet, insist, RETRY } from "../protocol/compare_and_set.ts";
import type { Bucket, ClusterClock, Entry } from "../protocol/broker.ts";
import { NO_USE, type TenantQuota, type TenantUse } from "./tenant.ts";

/** A request that would exceed a quota. */
export class QuotaRefusal extends Error {
  override name = "QuotaRefusal";
  /** Seconds after which it is worth asking again. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** What a tenant has, as a gateway sees it. */
export interface SeenWorlds {
  /** The ids of its worlds. */
  readonly all: ReadonlySet<string>;
  /** How many of them wait for a worker. */
  readonly waiting: number;
}

/** What a ledger works with. */
export interface TenantLedgerOptions {
  readonly bucket: Bucket<TenantUse>;
  readonly clock: ClusterClock;
  readonly newId: () => string;
  /** From 0 to 1: gateways that conflict over an entry retry at different times. */
  readonly random: () => number;
}

/** Milliseconds after which every gateway has seen a world, and after which a submission has ended. */
const HEARD = 60_000;
const SUBMITTED = 120_000;

/** Milliseconds in which the broker has to answer, the waiting for other requests of the tenant not counted. */
const WITHIN = 20_000;

const MINUTE = 60_000;

/** Counts rollouts that wait or run, and those that a submission adds; exactly, or at least so many. */
export type CountRollouts = (isExact: boolean) => Promise<{ readonly open: number; readonly fresh: number }>;

type Step<T> = (
  use: TenantUse,
  now: number,
) => Promise<{ readonly next?: Omit<TenantUse, "stamp">; readonly result: T }>;

/**
 * Counts by compare and set on one entry a tenant. A gateway changes it for one request of a tenant after another;
 * between gateways, who comes second looks again.
 */
export class TenantLedger {
  readonly #options: TenantLedgerOptions;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** The entries as they were last seen: an old one is refused by the broker. */
  readonly #known = new Map<string, Entry<TenantUse>>();

  constructor(options: TenantLedgerOptions) {
    this.#options = options;
  }

  /**
   * Counts a world that is about to be opened.
   *
   * @throws {QuotaRefusal} when the tenant has as many as it may, or as many wait.
   */
  async openWorld(tenant: string, { worlds, waiting }: TenantQuota, id: string, see: () => SeenWorlds): Promise<void> {
    if (worlds === undefined && waiting === undefined) return;
    await this.#change(tenant, (use, now) => {
      const seen = see();
      const fresh = use.opening.filter((opened) => !seen.all.has(opened.id));
      if (use.opening.some((opened) => opened.id === id)) return Promise.resolve({ result: undefined });
      const has = seen.all.size + fresh.length;
      if (worlds !== undefined && has >= worlds) {
        throw new QuotaRefusal(`the quota is ${worlds} worlds at a time, delete one that is done with`, 60);
      }
      const line = seen.waiting + fresh.length;
      if (waiting !== undefined && line >= waiting) {
        const message = `${line} of yours wait for a worker, and the quota is ${waiting} at a time, try again later`;
        throw new QuotaRefusal(message, Math.min(60, 1 + line));
      }
      return Promise.resolve({ next: { ...use, opening: [...use.opening, { id, at: now }] }, result: undefined });
    });
  }

  /** Stops counting a world: it was deleted, or not opened after all. */
  async closeWorld(tenant: string, { worlds, waiting }: TenantQuota, id: string): Promise<void> {
    if (worlds === undefined && waiting === undefined) return;
    await this.#change(tenant, (use) => {
      const opening = use.opening.filter((opened) => opened.id !== id);
      if (opening.length === use.opening.length) return Promise.resolve({ result: undefined });
      return Promise.resolve({ next: { ...use, opening }, result: undefined });
    });
  }

  /**
   * Counts moves. A tenant has those of a minute at once, and gets them back evenly; a move that counts more than all of
   * them takes all.
   *
   * @returns gives them back.
   * @throws {QuotaRefusal} when there are not as many left.
   */
  async spendMoves(
    tenant: string,
    { moves_per_minute: limit }: TenantQuota,
    cost: number,
  ): Promise<() => Promise<void>> {
    if (limit === undefined) return () => Promise.resolve();
    const price = Math.min(cost, limit) * MINUTE / limit;
    await this.#change(tenant, (use, now) => {
      const moves = Math.max(use.moves, now) + price;
      const late = moves - now - MINUTE;
      if (late > 0.5) {
        throw new QuotaRefusal(`the quota is ${limit} moves a minute, try again later`, Math.ceil(late / 1000));
      }
      return Promise.resolve({ next: { ...use, moves }, result: undefined });
    });
    return () =>
      this.#change(tenant, (use) => Promise.resolve({ next: { ...use, moves: use.moves - price }, result: undefined }));
  }

  /** Moves that a tenant has left now. */
  async movesLeft(tenant: string, limit: number): Promise<number> {
    const { bucket, clock } = this.#options;
    const use = (await insist(clock, () => bucket.get(tenant), AbortSignal.timeout(WITHIN)))?.value ?? NO_USE;
    const owed = Math.max(0, use.moves - clock.now());
    return Math.max(0, Math.floor((MINUTE - owed) * limit / MINUTE + 1e-6));
  }

  /**
   * Counts rollouts that are about to be submitted.
   *
   * @param count Those that wait or run, and those that the submission adds.
   * @returns to be called when all are written down.
   * @throws {QuotaRefusal} when they would be more than the tenant may have.
   */
  async submitRollouts(
    tenant: string,
    { rollouts: limit }: TenantQuota,
    count: CountRollouts,
  ): Promise<() => Promise<void>> {
    if (limit === undefined) {
      await count(false);
      return () => Promise.resolve();
    }
    const id = this.#options.newId();
    const isOurs = await this.#change(tenant, async (use, now) => {
      // What was in flight when the entry was read, and is no longer in it, has been counted.
      const others = use.submitting.reduce((sum, each) => sum + each.count, 0);
      let { open, fresh } = await count(false);
      if (open + others + fresh > limit) ({ open, fresh } = await count(true));
      if (fresh > 0 && open + others + fresh > limit) {
        const message = `${open + others} of yours wait or run, and the quota is ${limit} rollouts at a time, ` +
          "submit the rest later";
        throw new QuotaRefusal(message, 30);
      }
      if (fresh === 0) return { result: false };
      return { next: { ...use, submitting: [...use.submitting, { id, count: fresh, at: now }] }, result: true };
    });
    if (!isOurs) return () => Promise.resolve();
    return () =>
      this.#change(tenant, (use) => {
        const submitting = use.submitting.filter((each) => each.id !== id);
        return Promise.resolve({ next: { ...use, submitting }, result: undefined });
      });
  }

  #change<T>(tenant: string, step: Step<T>): Promise<T> {
    const turn = (this.#turns.get(tenant) ?? Promise.resolve()).catch(() => {}).then(() => this.#write(tenant, step));
    this.#turns.set(tenant, turn);
    const end = (): void => {
      if (this.#turns.get(tenant) === turn) this.#turns.delete(tenant);
    };
    turn.then(end, end);
    return turn;
  }

  async #write<T>(tenant: string, step: Step<T>): Promise<T> {
    const { bucket, clock, newId, random } = this.#options;
    const signal = AbortSignal.timeout(WITHIN);
    for (let tries = 0;; tries++) {
      if (tries > 1) await clock.wait(RETRY * random(), signal);
      const known = this.#known.get(tenant);
      this.#known.delete(tenant);
      const entry = known ?? await insist(clock, () => bucket.get(tenant), signal);
      const now = clock.now();
      const { opening, submitting, moves } = entry?.value ?? NO_USE;
      const use: TenantUse = {
        stamp: "",
        opening: opening.filter(({ at }) => now - at < HEARD),
        submitting: submitting.filter(({ at }) => now - at < SUBMITTED),
        // The clock of another gateway may be ahead, but never keeps a tenant out for longer than this.
        moves: Math.min(moves, now + 2 * MINUTE),
      };
      const change = await step(use, now).catch((error) => {
        if (!known) throw error;
        return undefined; // what this gateway remembers may be old, and a refusal has to be right
      });
      if (!change?.next) {
        if (known) continue;
        return change!.result;
      }
      const stamp = newId();
      const value: TenantUse = { ...change.next, stamp };
      const written = entry
        ? await compareAndSet({ bucket, clock, signal }, tenant, entry, value, (found) => found.stamp === stamp)
        : await this.#create(tenant, value, signal);
      if (written) {
        this.#known.set(tenant, written);
        return change.result;
      }
      signal.throwIfAborted();
    }
  }

  async #create(tenant: string, value: TenantUse, signal: AbortSignal): Promise<Entry<TenantUse> | undefined> {
    const { bucket, clock } = this.#options;
    try {
      return { value, revision: await bucket.create(tenant, value) };
    } catch {
      // Another gateway was first, or the answer is lost.
      const found = await insist(clock, () => bucket.get(tenant), signal);
      return found?.value.stamp === value.stamp ? found : undefined;
    }
  }
}
