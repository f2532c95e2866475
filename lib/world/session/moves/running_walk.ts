/**
 * A walk while it runs: its blocks are made ahead of the caller, and each one stays that the caller has taken.
 *
 * @module
 */
import type { RetainedEdge } from "../graph/edges.ts";
import type { SessionState } from "../graph/session_state.ts";

/** A block that was made: the state that it leads to, whose id is its edge's, and what undoing it needs. */
export interface MadeBlock {
  readonly state: SessionState;
  readonly id: string;
  readonly edge: RetainedEdge;
}

/** What a walk does to its session. */
export interface WalkedSession {
  /** Shows the state of a block at once. */
  readonly show: (block: MadeBlock) => void;
  /** The last block was kept: drops what is beyond the limits. */
  readonly arrive: (block: MadeBlock) => Promise<void>;
}

/** The blocks of a walk, in order. */
export class RunningWalk {
  readonly #session: WalkedSession;
  #made: MadeBlock[] = [];
  #count = 0;
  #onKept = (): void => {};

  constructor(session: WalkedSession) {
    this.#session = session;
  }

  /** The last block that was kept. */
  get last(): MadeBlock | undefined {
    return this.#made[this.#count - 1];
  }

  /** Adds a block whose files are complete. */
  add(block: MadeBlock): void {
    this.#made.push(block);
  }

  /** Keeps the next block and gives the id of its state; undefined when there is none, or the walk has ended. */
  keep(): string | undefined {
    const block = this.#made[this.#count];
    if (block === undefined) return undefined;
    this.#count++;
    this.#session.show(block);
    this.#onKept();
    return block.id;
  }

  /** Waits until so many blocks were kept; rejects with the signal's reason. */
  allKept(count: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      const check = (): void => {
        if (this.#count < count) return;
        signal.removeEventListener("abort", stop);
        resolve();
      };
      this.#onKept = check;
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      else check();
    });
  }

  /** No more blocks can be kept; gives the number of those that were. */
  end(): number {
    this.#made = this.#made.slice(0, this.#count);
    return this.#count;
  }

  /** The session stays at the last block that was kept, if there is one. */
  async arrive(): Promise<void> {
    if (this.last) await this.#session.arrive(this.last);
  }
}
