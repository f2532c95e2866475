/**
 * How many tokens to draft.
 *
 * @module
 */

/** Maximum number of drafted tokens in a round. */
export const MAX_DRAFT = 8;

/** Rounds in a row without an accepted token, after which drafts pause; and for how many tokens. */
const PATIENCE = 4;
const PAUSE = 32;

/** Drafts grow while they are accepted, shrink to what was, and pause where they only cost time. */
export class DraftLength {
  #length = 4;
  #failures = 0;
  #paused = 0;

  /** Number of tokens to draft in this round. */
  next(): number {
    if (this.#paused === 0) return this.#length;
    this.#paused--;
    return 0;
  }

  /** Records how many of the drafted tokens were accepted. */
  judge(drafted: number, accepted: number): void {
    this.#length = accepted === drafted ? Math.min(2 * this.#length, MAX_DRAFT) : accepted + 1;
    this.#failures = accepted > 0 ? 0 : this.#failures + 1;
    if (this.#failures < PATIENCE) return;
    this.#failures = 0;
    this.#paused = PAUSE;
  }
}
