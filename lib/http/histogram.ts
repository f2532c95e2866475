/**
 * Counts values by their size, for metrics.
 *
 * @module
 */
import type { Distribution } from "./prometheus_text.ts";

/** Values by their size. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  /** @param bounds Upper bounds in ascending order; a value of that size is counted there. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    for (const [i, bound] of this.#bounds.entries()) if (value <= bound) this.#counts[i]++;
    this.#count++;
    this.#sum += value;
  }

  /** What there was so far. */
  distribution(labels: Distribution["labels"] = {}): Distribution {
    const buckets = this.#bounds.map((bound, i) => [bound, this.#counts[i]] as const);
    return { labels, buckets, count: this.#count, sum: this.#sum };
  }
}
