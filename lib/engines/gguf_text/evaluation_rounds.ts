/**
 * Answers that are computed together.
 *
 * @module
 */
import type { EngineCounters } from "../text/language_model.ts";

/** An answer that is being computed. */
export interface EvaluatedRow {
  /** Whether its prompt is done: then a step evaluates one token. */
  readonly decoding: boolean;
  /** Tokens that have been evaluated. */
  readonly position: number;
  /** What a step needs and others need not wait for. */
  prepare(): Promise<void>;
  /**
   * Evaluates up to `limit` tokens; what is called in the same moment goes to llama.cpp as one batch.
   *
   * @returns Whether the answer is done.
   */
  step(limit: number): Promise<boolean>;
}

/** Tokens of a prompt in a round; prompts beside answers take less, so that these go on meanwhile. */
const ALONE = 256;
const BESIDE = 64;

interface Place {
  readonly row: EvaluatedRow;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/** Evaluates rows side by side: in each round every row makes one step, and llama.cpp sees them as one batch. */
export class EvaluationRounds {
  readonly #places = new Set<Place>();
  #running = false;
  #batched = 0;
  #same = 0;
  #single = 0;
  #rows = 0;
  #most = 0;

  /** Computes a row to its end. @throws what the row throws; others go on. */
  async run(row: EvaluatedRow): Promise<void> {
    const ended = new Promise<void>((finish, fail) => this.#places.add({ row, finish, fail }));
    if (!this.#running) void this.#loop();
    await ended;
  }

  /** @param queued Rows that wait for a place. */
  counters(queued: number): NonNullable<EngineCounters["continuousBatching"]> {
    return {
      enabled: true,
      activeRows: this.#places.size,
      queuedRows: queued,
      batchedDecodeSteps: this.#batched,
      samePositionBatchedSteps: this.#same,
      variablePositionBatchedSteps: this.#batched - this.#same,
      singleDecodeSteps: this.#single,
      totalBatchedRows: this.#rows,
      maxBatchSize: this.#most,
    };
  }

  async #loop(): Promise<void> {
    this.#running = true;
    // What begins at the same moment begins together.
    await Promise.resolve();
    while (this.#places.size > 0) {
      const places = [...this.#places];
      await Promise.all(places.map((place) => this.#attempt(place, () => place.row.prepare().then(() => false))));
      const ready = places.filter((place) => this.#places.has(place));
      const decoding = ready.filter(({ row }) => row.decoding);
      this.#count(decoding.map(({ row }) => row.position));
      const limit = decoding.length > 0 ? BESIDE : ALONE;
      await Promise.all(ready.map((place) => this.#attempt(place, () => place.row.step(limit))));
    }
    this.#running = false;
  }

  async #attempt(place: Place, work: () => Promise<boolean>): Promise<void> {
    try {
      if (!await work()) return;
      this.#places.delete(place);
      place.finish();
    } catch (error) {
      this.#places.delete(place);
      place.fail(error);
    }
  }

  #count(positions: readonly number[]): void {
    if (positions.length === 1) this.#single++;
    if (positions.length < 2) return;
    this.#batched++;
    this.#rows += positions.length;
    this.#most = Math.max(this.#most, positions.length);
    if (positions.every((position) => position === positions[0])) this.#same++;
  }
}
