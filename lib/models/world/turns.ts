/**
 * Whose turn it is on an engine.
 *
 * @module
 */

/** Milliseconds that work keeps its turn for, whoever waits. */
const TURN = 1000;

/** The turn of work that runs. */
export interface Turn {
  /** Whether others wait for it, and the work has had it for a while. */
  readonly isWanted: boolean;
  /**
   * Lets all that wait go first.
   *
   * @param isServed See {@linkcode Company.invite}.
   * @throws the reason of the work's signal when it aborts meanwhile.
   */
  readonly pass: (isServed?: () => boolean) => Promise<void>;
  /** Work of the same kind, where one can do steps of others beside its own. */
  readonly company?: Company | undefined;
}

/** The others of one kind. They do not count as waiting for the turn: they share it. */
export interface Company {
  /** Whether one waits for the turn itself: it has just come, or its steps are done. */
  readonly isCalling: boolean;
  /**
   * Gives the turn to the first that waits for it, and has it again before all others.
   *
   * @param isServed Whether whoever of the company has the turn meanwhile can do the steps of this work.
   * @throws as {@linkcode Turn.pass} does.
   */
  readonly invite: (isServed: () => boolean) => Promise<void>;
}

/** Passes the turn on where others wait for it; resolves with whether they had it. */
export async function offerTurn(turn: Turn | undefined): Promise<boolean> {
  if (!turn?.isWanted) return false;
  await turn.pass();
  return true;
}

/** Work that waits. */
interface Waiter {
  readonly go: () => void;
  readonly kind: string | undefined;
  readonly isServed: () => boolean;
}

/** Lets one piece of work at a time run, first come, first served: chains that ask repeatedly all make equal progress. */
export class Turns {
  readonly #now: () => number;
  readonly #waiting: Waiter[] = [];
  #busy = false;
  /** When the work that runs, or the first of its company, was given the turn. */
  #since = 0;

  /** @param now A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work when all that came before has ended, or has passed its turn on.
   *
   * @param kind Of work that has {@linkcode Company}; undefined for what runs alone.
   * @throws the reason of `signal` when it aborts before that, and what the work throws.
   */
  async run<T>(
    signal: AbortSignal | undefined,
    work: (turn: Turn) => Promise<T>,
    kind?: string,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.#busy) await this.#wait(signal, { kind, isServed: () => false });
    else this.#since = this.#now();
    this.#busy = true;
    let isOurs = true;
    const isOther = (waiter: Waiter): boolean => kind === undefined || waiter.kind !== kind;
    const isCalling = (waiter: Waiter): boolean => !isOther(waiter) && !waiter.isServed();
    const give = async (next: Waiter | undefined, isServed: () => boolean, isFirst: boolean): Promise<void> => {
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      isOurs = false;
      const again = this.#wait(signal, { kind, isServed }, isFirst);
      if (!isFirst) this.#since = this.#now();
      next.go();
      await again;
      isOurs = true;
    };
    const isWanted = (): boolean => this.#waiting.some(isOther) && this.#now() - this.#since >= TURN;
    const hasCaller = (): boolean => this.#waiting.some(isCalling);
    const turn: Turn = {
      get isWanted() {
        return isWanted();
      },
      pass: (isServed = () => false) => give(this.#waiting.find(isOther), isServed, false),
      ...(kind !== undefined && {
        company: {
          get isCalling() {
            return hasCaller();
          },
          invite: (isServed) => give(this.#waiting.find(isCalling), isServed, true),
        },
      }),
    };
    try {
      return await work(turn);
    } finally {
      if (isOurs) this.#next();
    }
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#since = this.#now();
    if (next) next.go();
    else this.#busy = false;
  }

  #wait(signal: AbortSignal | undefined, others: Omit<Waiter, "go">, isFirst = false): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiter: Waiter = {
        ...others,
        go: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal!.reason);
      };
      if (isFirst) this.#waiting.unshift(waiter);
      else this.#waiting.push(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
