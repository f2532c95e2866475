/**
 * A read-write lock.
 *
 * @module
 */
import { WaitQueue } from "./wait_queue.ts";

/** How work asks for a {@linkcode ReadWriteLock}. */
interface LockRequest {
  readonly signal: AbortSignal;
  /** Whether the work needs the lock exclusively; called at its turn, since the answer may change while it waits. */
  readonly exclusive: () => boolean;
  /** Called synchronously on admission. */
  readonly onAdmit?: () => void;
}

/** A fair read-write lock: requests are admitted in order, so an exclusive one holds up all later ones. */
export class ReadWriteLock {
  readonly #queue = new WaitQueue<LockRequest>(() => this.#admit());
  #holders = 0;
  #held = false;

  /**
   * Runs `work` while holding the lock.
   *
   * @throws the reason of the signal when it aborts before the work has begun.
   */
  async run<T>(request: LockRequest, work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.wait(request, request.signal);
    this.#admit();
    await turn;
    try {
      return await work();
    } finally {
      this.#holders--;
      this.#held = false; // only an exclusive holder sets it, and that one has just left
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#queue.head; next && !this.#held; next = this.#queue.head) {
      const exclusive = next.exclusive();
      if (exclusive && this.#holders > 0) return;
      this.#holders++;
      this.#held = exclusive;
      next.onAdmit?.();
      this.#queue.admitNext();
    }
  }
}
