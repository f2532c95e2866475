/**
 * How fast a device works, and where its work is split.
 *
 * @module
 */
import type { Step } from "./lowering/step.ts";

/** What a step costs. */
export type StepCost = Pick<Step, "flops" | "bindings">;

/** Longest part of a run, in seconds: far below the two seconds after which Windows resets a GPU. */
const PART_SECONDS = 0.15;

/** An estimated second of a device that has not been measured: half a teraflop and 50 GB. */
const FIRST_FLOPS = 0.5e12;
const FIRST_BYTES = 50e9;

/** Runs below this estimate are too short to say how fast the device is. */
const MEASURED_SECONDS = PART_SECONDS / 10;

/**
 * Splits runs into submissions of about 0.15 s. A watchdog resets a GPU that does not come back for seconds, and what
 * else it draws waits as long. The estimate is corrected by how long earlier runs took.
 */
export class Pace {
  readonly #partSeconds: number;
  /** Measured seconds for an estimated one. */
  #slowness = 1;

  /** @param partSeconds Longest part of a run. */
  constructor(partSeconds: number = PART_SECONDS) {
    this.#partSeconds = partSeconds;
  }

  /** Seconds of steps, as far as is known. */
  seconds(steps: readonly StepCost[]): number {
    return this.#slowness * steps.reduce((sum, step) => sum + firstEstimate(step), 0);
  }

  /** Where the parts of a run end: each takes the longest part's time at most, or is one step. */
  split(steps: readonly StepCost[]): number[] {
    const ends: number[] = [];
    let part = 0;
    steps.forEach((step, i) => {
      const seconds = this.#slowness * firstEstimate(step);
      if (part > 0 && part + seconds > this.#partSeconds) {
        ends.push(i);
        part = 0;
      }
      part += seconds;
    });
    return steps.length > 0 ? [...ends, steps.length] : [];
  }

  /** Whether a run of these steps says how fast the device is. */
  tells(steps: readonly StepCost[]): boolean {
    return this.seconds(steps) >= MEASURED_SECONDS;
  }

  /**
   * Learns from a run. A device that turns out slower is believed at once, one that turns out faster by halves: what
   * else ran on it may have made the measure long, nothing makes it short.
   */
  learn(steps: readonly StepCost[], seconds: number): void {
    const measured = seconds / Math.max(this.seconds(steps) / this.#slowness, Number.MIN_VALUE);
    if (!(measured > 0 && Number.isFinite(measured))) return;
    this.#slowness = measured > this.#slowness ? measured : (this.#slowness + measured) / 2;
  }
}

function firstEstimate({ flops, bindings }: StepCost): number {
  return flops / FIRST_FLOPS + bindings.reduce((sum, { bytes }) => sum + bytes, 0) / FIRST_BYTES;
}
