/**
 * A gate that work passes side by side or alone.
 *
 * @module
 */
import { WaitingLine } from "./waiting_line.ts";

/** How work wants to pass a {@linkcode FairGate}. */
export interface Passage {
  readonly signal: AbortSignal;
  /** Whether the work must be alone; asked when its turn comes, since the answer may change while it waits. */
  readonly alone: () => boolean;
  /** Called at the moment of admission, before anything else can happen. */
  readonly onAdmit?: () => void;
}

/** A readers-writer lock without overtaking: work that must be alone holds up all that comes after it. */
export class FairGate {
  readonly #line = new WaitingLine<Passage>(() => this.#admit());
  #inside = 0;
  #closed = false;

  /**
   * Waits for its turn and works.
   *
   * @throws the reason of the signal when it aborts before the work has begun.
   */
  async pass<T>(passage: Passage, work: () => Promise<T>): Promise<T> {
    const turn = this.#line.wait(passage, passage.signal);
    this.#admit();
    await turn;
    try {
      return await work();
    } finally {
      this.#inside--;
      this.#closed = false; // whoever was alone is out; others that are inside never close it
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#line.head; next && !this.#closed; next = this.#line.head) {
      const alone = next.alone();
      if (alone && this.#inside > 0) return;
      this.#inside++;
      this.#closed = alone;
      next.onAdmit?.();
      this.#line.admitHead();
    }
  }
}
