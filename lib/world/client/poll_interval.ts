/**
 * How long to wait between two looks at a job, in milliseconds: short after every change, so that the chunks of a fast
 * world arrive without delay, and growing to a quarter of a second while nothing happens, so that a slow one is not
 * asked thousands of times.
 */
export class PollInterval {
  #next = SHORTEST;

  /** The wait before the next look, given whether the last one showed something new. */
  after(changed: boolean): number {
    const wait = changed ? SHORTEST : this.#next;
    this.#next = Math.min(LONGEST, wait * GROWTH);
    return wait;
  }
}

const SHORTEST = 10;
const LONGEST = 250;
const GROWTH = 1.4;
