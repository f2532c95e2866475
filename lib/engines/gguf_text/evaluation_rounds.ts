/**
 * Answers that are computed together.
 *
 * @module
 */
import type { EngineCounters } from "../text/language_model.ts";

/** An answer that is being computed. */
export interface EvaluatedSequence {
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

interface Running {
  readonly sequence: EvaluatedSequence;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/** Evaluates rows side by side: in each round every row makes one step, and llama.cpp sees them as one batch. */
export class EvaluationRounds {
  readonly #active = new Set<Running>();
  #running = false;
  #batched = 0;
  #same = 0;
  #single = 0;
  #sequences = 0;
  #max = 0;

  /** Computes a row to its end. @throws what the row throws; others go on. */
  async run(sequence: EvaluatedSequence): Promise<void> {
    const ended = new Promise<void>((finish, fail) => this.#active.add({ sequence, finish, fail }));
    if (!this.#running) void this.#loop();
    await ended;
  }

  /** @param queued Rows that wait for a place. */
  counters(queued: number): NonNullable<EngineCounters["continuousBatching"]> {
    return {
      enabled: true,
      activeRows: this.#active.size,
      queuedRows: queued,
      batchedDecodeSteps: this.#batched,
      samePositionBatchedSteps: this.#same,
      variablePositionBatchedSteps: this.#batched - this.#same,
      singleDecodeSteps: this.#single,
      totalBatchedRows: this.#sequences,
      maxBatchSize: this.#max,
    };
  }

  async #loop(): Promise<void> {
    this.#running = true;
    // What begins at the same moment begins together.
    await Promise.resolve();
    while (this.#active.size > 0) {
      const running = [...this.#active];
      await Promise.all(running.map((one) => this.#attempt(one, () => one.sequence.prepare().then(() => false))));
      const ready = running.filter((one) => this.#active.has(one));
      const decoding = ready.filter(({ sequence }) => sequence.decoding);
      this.#count(decoding.map(({ sequence }) => sequence.position));
      const limit = decoding.length > 0 ? BESIDE : ALONE;
      await Promise.all(ready.map((one) => this.#attempt(one, () => one.sequence.step(limit))));
    }
    this.#running = false;
  }

  async #attempt(one: Running, work: () => Promise<boolean>): Promise<void> {
    try {
      if (!await work()) return;
      this.#active.delete(one);
      one.finish();
    } catch (error) {
      this.#active.delete(one);
      one.fail(error);
    }
  }

  #count(positions: readonly number[]): void {
    if (positions.length === 1) this.#single++;
    if (positions.length < 2) return;
    this.#batched++;
    this.#sequences += positions.length;
    this.#max = Math.max(this.#max, positions.length);
    if (positions.every((position) => position === positions[0])) this.#same++;
  }
}
