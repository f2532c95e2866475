/**
 * How long the parts of an operation take.
 *
 * @module
 */

/** Seconds by the names of parts, one running at a time. */
export class StageTimes {
  readonly #seconds: Record<string, number> = {};
  readonly #begin: number = performance.now();
  #since: number = this.#begin;
  #stage: string | undefined;

  /** Ends the running part and begins another one; parts of one name add up. */
  enter(stage: string): void {
    const now = performance.now();
    if (this.#stage !== undefined) this.add(this.#stage, (now - this.#since) / 1000);
    this.#stage = stage;
    this.#since = now;
  }

  /** Adds seconds that were measured elsewhere. */
  add(name: string, seconds: number): void {
    this.#seconds[name] = (this.#seconds[name] ?? 0) + seconds;
  }

  /** `{<name>_seconds}` for each of the names, rounded to microseconds. */
  report(names: readonly string[]): Record<string, number> {
    this.enter("reporting");
    const all: Record<string, number> = { ...this.#seconds, total: (this.#since - this.#begin) / 1000 };
    return Object.fromEntries(names.map((name) => [`${name}_seconds`, Math.round((all[name] ?? 0) * 1e6) / 1e6]));
  }
}
