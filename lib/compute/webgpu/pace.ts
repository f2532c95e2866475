/**
 * How fast a device works, and where a run is split: its steps are handed to the device in parts.
 *
 * @module
 */
import { nextTurn } from "../tensor/device.ts";
import type { Step } from "./lowering/step.ts";

/** What a step costs. */
type StepCost = Pick<Step, "flops" | "bindings">;

/** Longest part of a run, in seconds: far below the two seconds after which Windows resets a GPU. */
const PART_SECONDS = 0.15;

/** An estimated second of a device that has not been measured: half a teraflop and 50 GB. */
const FIRST_FLOPS = 0.5e12;
const FIRST_BYTES = 50e9;

/** Runs below this estimate are too short to measure. */
const MEASURED_SECONDS = PART_SECONDS / 10;

/** How much more work than any part measured so far a part may have: later steps may be slower than earlier ones. */
const GROWTH = 10;

/**
 * How fast a device works. A watchdog resets a GPU that does not come back for seconds, and what else it draws waits as
 * long: runs are split into submissions of about 0.15 s.
 */
export class Pace {
  /** Longest part of a run; with 0 each step is a part. */
  partSeconds: number;
  /** Measured seconds for an estimated one, of the last measure of any program. */
  slowness = 1;
  #unfinished = 0;

  /** @param partSeconds Longest part of a run. */
  constructor(partSeconds: number = PART_SECONDS) {
    this.partSeconds = partSeconds;
  }

  /** Whether everything that was submitted is known to have ended. */
  get idle(): boolean {
    return this.#unfinished === 0;
  }

  /** Counts a submission as unfinished until the promise settles; returns a promise that never rejects. */
  track(done: Promise<unknown>): Promise<void> {
    this.#unfinished++;
    const ended = () => {
      this.#unfinished--;
    };
    return done.then(ended, ended);
  }
}

/**
 * How fast a device works on one program: kernels differ in how much of a device they use, so that the measure of one
 * program says little about another.
 */
export class ProgramPace {
  readonly #device: Pace;
  readonly #estimates: readonly number[];
  /** Measured seconds for an estimated one; undefined before the first measure. */
  #slowness: number | undefined;
  /** Estimated seconds of the largest part that was measured. */
  #largest = 0;

  constructor(device: Pace, steps: readonly StepCost[]) {
    this.#device = device;
    this.#estimates = steps.map(firstEstimate);
  }

  /** Number of steps. */
  get steps(): number {
    return this.#estimates.length;
  }

  /** Whether a run is long enough to be measured. */
  get measurable(): boolean {
    return this.seconds() >= MEASURED_SECONDS;
  }

  /** Whether a run, or a part of one, was measured. */
  get measured(): boolean {
    return this.#slowness !== undefined;
  }

  /** Estimated seconds of the steps from `begin` to before `end`. */
  seconds(begin: number = 0, end: number = this.steps): number {
    return this.#rate() * this.#work(begin, end);
  }

  /** Where the part that begins at a step ends: it takes the longest part's time at most, or is one step. */
  end(begin: number): number {
    const { partSeconds } = this.#device;
    const limit = Math.min(partSeconds / this.#rate(), this.#largest > 0 ? GROWTH * this.#largest : Infinity);
    let end = begin + 1;
    let work = this.#estimates[begin];
    while (end < this.steps && work + this.#estimates[end] <= limit) work += this.#estimates[end++];
    return end;
  }

  /**
   * Learns from steps that were handed to an idle device. The measure may be too long, because something else ran on the
   * device or the end was noticed late, but never too short, so the last one is believed.
   */
  learn(begin: number, end: number, seconds: number): void {
    const work = this.#work(begin, end);
    const slowness = seconds / work;
    if (!(slowness > 0 && Number.isFinite(slowness))) return;
    this.#slowness = this.#device.slowness = slowness;
    this.#largest = Math.max(this.#largest, work);
  }

  /** A slow device is taken to be slow for every program, a fast one is measured again for each. */
  #rate(): number {
    return this.#slowness ?? Math.max(1, this.#device.slowness);
  }

  #work(begin: number, end: number): number {
    let sum = 0;
    for (let i = begin; i < end; i++) sum += this.#estimates[i];
    return sum;
  }
}

function firstEstimate({ flops, bindings }: StepCost): number {
  return flops / FIRST_FLOPS + bindings.reduce((sum, { bytes }) => sum + bytes, 0) / FIRST_BYTES;
}

/** What computes the steps of a program. */
export interface PartQueue {
  /** Hands over the steps from `begin` to before `end`; resolves with the time at which they were, in milliseconds. */
  submit(begin: number, end: number): Promise<number>;
  /** Resolves when everything that was submitted has ended. */
  done(): Promise<void>;
  /** The time in milliseconds. */
  now(): number;
}

/**
 * Runs a program in parts that are short enough for watchdogs. Resolves when the last one was handed over.
 *
 * The first run measures the device: each of its parts is handed to an idle device and waited for, and the next one is
 * as long as the measure allows. Later runs keep two parts queued, so that the device never waits, and are measured when
 * the device was idle before: what was queued earlier would be counted with them.
 *
 * @throws the signal's reason when it aborts before the last part was handed over.
 */
export async function runParts(
  queue: PartQueue,
  device: Pace,
  program: ProgramPace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { steps, measurable } = program;
  const done = () => device.track(queue.done());
  if (measurable && !program.measured) await queue.done(); // the run before may end with the first measure
  const first = measurable && !program.measured;
  const idle = first || device.idle;
  let begun: number | undefined;
  let earlier: Promise<void> | undefined;
  for (let begin = 0; begin < Math.max(steps, 1);) {
    signal?.throwIfAborted();
    const end = steps > 0 ? program.end(begin) : 1;
    const handed = await queue.submit(begin, end);
    begun ??= handed;
    const ended = done();
    if (end >= steps) {
      const [from, since] = first ? [begin, handed] : [0, begun];
      if (measurable && idle) ended.then(() => program.learn(from, steps, (queue.now() - since) / 1000));
      return;
    }
    if (first) {
      await ended;
      program.learn(begin, end, (queue.now() - handed) / 1000);
    } else if (earlier) await earlier;
    earlier = ended;
    if (signal) await nextTurn(); // in which an abort may arrive
    begin = end;
  }
}
