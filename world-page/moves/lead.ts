/** Least and most unplayed video, in seconds, at which the next move of a held key is requested. */
const LEAST = 0.35;
const MOST = 1;

/** The next moves may take this much longer than the last ones. */
const RESERVE = 1.4;

/** Moves that count: two, so that one that had to load the model is soon forgotten. */
const COUNTED = 2;

/**
 * How early the next move of a held key has to be requested so that its video is there in time: as long before the end
 * of the last one as moves have lately taken from the request to the first frames.
 */
export class Lead {
  #asked: { readonly id: string; readonly at: number } | undefined;
  #taken: number[] = [];

  /** A move was requested at a time, in milliseconds of any clock. */
  asked(jobId: string, at: number): void {
    this.#asked = { id: jobId, at };
  }

  /** The first frames of a move can be shown since a time of the same clock. */
  shown(jobId: string, at: number): void {
    if (jobId !== this.#asked?.id) return;
    this.#taken = [...this.#taken, (at - this.#asked.at) / 1000].slice(-COUNTED);
    this.#asked = undefined;
  }

  /** Seconds of unplayed video at which to request the next move. */
  get seconds(): number {
    return Math.min(MOST, Math.max(LEAST, ...this.#taken.map((taken) => taken * RESERVE)));
  }
}
