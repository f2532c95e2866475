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
   * @throws the reason of the work's signal when it aborts meanwhile.
   */
  pass(): Promise<void>;
}

/** Passes the turn on where others wait for it; resolves with whether they had it. */
export async function offerTurn(turn: Turn | undefined): Promise<boolean> {
  if (!turn?.isWanted) return false;
  await turn.pass();
  return true;
}

/** Lets one piece of work at a time run, first come, first served: chains that ask repeatedly all make equal progress. */
export class Turns {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /** @param now A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work when all that came before has ended, or has passed its turn on.
   *
   * @throws the reason of `signal` when it aborts before that, and what the work throws.
   */
  async run<T>(signal: AbortSignal | undefined, work: (turn: Turn) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#busy) await this.#wait(signal);
    this.#busy = true;
    let isOurs = true;
    let since = this.#now();
    const isWanted = (): boolean => this.#waiting.length > 0 && this.#now() - since >= TURN;
    const pass = async (): Promise<void> => {
      const next = this.#waiting.shift();
      if (!next) return;
      isOurs = false;
      const again = this.#wait(signal);
      next();
      await again;
      isOurs = true;
      since = this.#now();
    };
    const turn: Turn = {
      get isWanted() {
        return isWanted();
      },
      pass,
    };
    try {
      return await work(turn);
    } finally {
      if (isOurs) this.#next();
    }
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const go = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal!.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
