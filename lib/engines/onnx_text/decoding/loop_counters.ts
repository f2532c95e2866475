/**
 * Counters of the decode loop for `GET /runtime/status`.
 *
 * @module
 */
import type { EngineCounters } from "../../contract/language_model.ts";
import { MAX_DRAFT } from "./prompt_lookup.ts";
import { MIN_SPECULATED } from "./sequence.ts";

/** Decode steps. */
export class BatchCounters {
  #single = 0;
  #batched = 0;
  #samePosition = 0;
  #rows = 0;
  #largest = 0;

  /** Counts a step of sequences with these lengths. */
  add(lengths: readonly number[]): void {
    this.#largest = Math.max(this.#largest, lengths.length);
    if (lengths.length === 1) {
      this.#single++;
      return;
    }
    this.#batched++;
    this.#rows += lengths.length;
    if (lengths.every((length) => length === lengths[0])) this.#samePosition++;
  }

  report(enabled: boolean, activeRows: number, queuedRows: number): NonNullable<EngineCounters["continuousBatching"]> {
    return {
      enabled,
      activeRows,
      queuedRows,
      batchedDecodeSteps: this.#batched,
      samePositionBatchedSteps: this.#samePosition,
      variablePositionBatchedSteps: this.#batched - this.#samePosition,
      singleDecodeSteps: this.#single,
      totalBatchedRows: this.#rows,
      maxBatchSize: this.#largest,
    };
  }
}

/** Speculative decoding steps. */
export class SpeculationCounters {
  #rounds = 0;
  #drafted = 0;
  #accepted = 0;

  /** Counts a step. */
  add(drafted: number, accepted: number): void {
    this.#rounds++;
    this.#drafted += drafted;
    this.#accepted += accepted;
  }

  report(activeRows: number): NonNullable<EngineCounters["mtp"]> {
    return {
      available: true,
      enabled: true,
      active: activeRows === 1,
      ...activeRows > 1 ? { reason: "several requests are active" } : {},
      blockSize: MAX_DRAFT + 1,
      threshold: MIN_SPECULATED,
      rounds: this.#rounds,
      draftedTokens: this.#drafted,
      acceptedTokens: this.#accepted,
      rejectedTokens: this.#drafted - this.#accepted,
    };
  }
}
