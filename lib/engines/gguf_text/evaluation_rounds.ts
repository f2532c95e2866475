/**
 * Continuous batching of answers.
 *
 * @module
 */
import type { EngineCounters } from "../contract/language_model.ts";

/** A sequence being evaluated. */
export interface EvaluatedSequence {
  /** Whether its prefill is complete: then a step decodes. */
  readonly decoding: boolean;
  /** Number of evaluated tokens. */
  readonly position: number;
  /** The part of a step that others need not wait for. */
  prepare(): Promise<void>;
  /**
   * Evaluates up to `limit` tokens; simultaneous calls go to llama.cpp as one batch.
   *
   * @returns Whether the answer is done.
   */
  step(limit: number): Promise<boolean>;
}

/** Prompt tokens of a prefill step; beside sequences that decode it takes fewer, to keep their rate up. */
const PREFILL_CHUNK = 256;
const SHARED_PREFILL_CHUNK = 64;

interface Running {
  readonly sequence: EvaluatedSequence;
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Evaluates sequences concurrently: in each round every sequence makes one step, and llama.cpp evaluates them as one
 * batch.
 */
export class EvaluationRounds {
  readonly #active = new Set<Running>();
  #running = false;
  #batched = 0;
  #same = 0;
  #single = 0;
  #sequences = 0;
  #max = 0;

  /** Evaluates a sequence to its end. @throws what the sequence throws; others continue. */
  async run(sequence: EvaluatedSequence): Promise<void> {
    const ended = new Promise<void>((finish, fail) => this.#active.add({ sequence, finish, fail }));
    if (!this.#running) void this.#loop();
    await ended;
  }

  /**
   * @param enabled Whether more than one sequence can run at a time.
   * @param queued Number of queued sequences.
   */
  counters(enabled: boolean, queued: number): NonNullable<EngineCounters["continuousBatching"]> {
    return {
      enabled,
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
    // Sequences added in the same turn start in the same round.
    await Promise.resolve();
    while (this.#active.size > 0) {
      const running = [...this.#active];
      await Promise.all(running.map((one) => this.#attempt(one, () => one.sequence.prepare().then(() => false))));
      const ready = running.filter((one) => this.#active.has(one));
      const decoding = ready.filter(({ sequence }) => sequence.decoding);
      this.#count(decoding.map(({ sequence }) => sequence.position));
      const limit = decoding.length > 0 ? SHARED_PREFILL_CHUNK : PREFILL_CHUNK;
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
