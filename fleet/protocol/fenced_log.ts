/**
 * The journal of a session in the hands of one owner. Taking it fences off the owner before: what that one appends from
 * then on is refused.
 *
 * @module
 */
import { insist, RETRY } from "./compare_and_set.ts";
import { BrokerRefusal, type ClusterClock, type JournalEntry, type JournalStore } from "./broker.ts";

/** Another owner has taken the session, or this one has let it go. */
export class FencedError extends Error {
  override name = "FencedError";

  constructor(session: string) {
    super(`Cannot write to the journal of session ${session}: another worker has taken it`);
  }
}

/** What a log works with. */
export interface FencedLogOptions {
  readonly journals: JournalStore;
  readonly clock: ClusterClock;
  readonly session: string;
  /** Unlike that of any other attempt to take a session. */
  readonly ownerId: string;
  /** What the first entry says of the owner. */
  readonly owner: Uint8Array;
  /** Whether the session still has no owner; asked when another one has taken it meanwhile. */
  readonly isWanted: () => Promise<boolean>;
  /** Called once, at the moment the log is known to be fenced off. */
  readonly onFenced?: () => void;
  /** Ends attempts to reach the broker. */
  readonly signal?: AbortSignal;
}

/** Appends entries, each exactly once, until another owner takes the session. */
export class FencedLog {
  readonly #options: FencedLogOptions;
  #sequence: number;
  #state: "open" | "fenced" | "closed" = "open";
  #tail: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Sequence of the entry that made this one the owner. */
  readonly fence: number;

  private constructor(options: FencedLogOptions, sequence: number) {
    this.#options = options;
    this.fence = this.#sequence = sequence;
  }

  /**
   * Takes a session: every owner before is fenced off once this resolves.
   *
   * @returns the log, and all entries before.
   * @throws {FencedError} when another one takes it at the same time.
   */
  static async take(options: FencedLogOptions): Promise<{ log: FencedLog; entries: JournalEntry[] }> {
    const { journals, clock, session, ownerId, owner, isWanted, signal } = options;
    while (true) {
      const entries = await insist(clock, () => journals.read(session), signal);
      const id = `${session}/owner/${ownerId}`;
      // An attempt before has succeeded without an answer.
      const known = entries.find((entry) => entry.id === id);
      if (known) {
        return { log: new FencedLog(options, known.sequence), entries: entries.slice(0, entries.indexOf(known)) };
      }
      try {
        const sequence = await journals.append(session, owner, entries.at(-1)?.sequence ?? 0, id);
        return { log: new FencedLog(options, sequence), entries };
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!(error instanceof BrokerRefusal)) await clock.wait(RETRY, signal);
        else if (!await isWanted()) throw new FencedError(session);
      }
    }
  }

  /** Whether another owner has taken the session. */
  get isFenced(): boolean {
    return this.#state === "fenced";
  }

  /** Sequence of the last entry that this owner has seen. */
  get sequence(): number {
    return this.#sequence;
  }

  /**
   * Appends an entry; resolves once the broker has it. While the broker cannot be reached, this retries.
   *
   * @throws {FencedError}
   */
  append(data: Uint8Array): Promise<number> {
    const { session, ownerId } = this.#options;
    const id = `${session}/${ownerId}/${this.#count++}`;
    const done = this.#tail.then(() => this.#append(data, id));
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Waits for entries on their way; further ones are refused. */
  async close(): Promise<void> {
    if (this.#state === "open") this.#state = "closed";
    await this.#tail;
  }

  async #append(data: Uint8Array, id: string): Promise<number> {
    const { journals, clock, session, signal } = this.#options;
    while (true) {
      if (this.#state !== "open") throw new FencedError(session);
      try {
        return this.#sequence = await journals.append(session, data, this.#sequence, id);
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!(error instanceof BrokerRefusal)) {
          await clock.wait(RETRY, signal);
          continue;
        }
      }
      const last = await insist(clock, () => journals.last(session), signal);
      // The refused attempt repeated one that had succeeded without an answer.
      if (last?.id === id) return this.#sequence = last.sequence;
      if (last && last.sequence <= this.#sequence) {
        await clock.wait(RETRY, signal); // what was read is not the newest
        continue;
      }
      this.#state = "fenced";
      this.#options.onFenced?.();
      throw new FencedError(session);
    }
  }
}
