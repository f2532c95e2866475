/**
 * Hands the steps of a run to a device in parts.
 *
 * @module
 */
import { nextTurn } from "../tensor/run_queue.ts";
import type { Pace, ProgramPace } from "./pace.ts";

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
