/**
 * The delay between two polls of a job, in milliseconds: short after every change, so that the chunks of a fast world
 * arrive without delay, and growing to a quarter of a second while nothing changes, to spare slow ones.
 */
export class PollInterval {
  #next = SHORTEST;

  /** The delay before the next poll, given whether the last one showed a change. */
  after(changed: boolean): number {
    const wait = changed ? SHORTEST : this.#next;
    this.#next = Math.min(LONGEST, wait * GROWTH);
    return wait;
  }
}

const SHORTEST = 10;
const LONGEST = 250;
/** A change is noticed late by about a tenth of the time since the last one. */
const GROWTH = 1.2;
