/**
 * Two ways to do the same work, measured in turns.
 *
 * @module
 */
import { median } from "./stopwatch.ts";

/** What was measured of a pair. */
export interface Turns {
  /** Median milliseconds of each. */
  readonly ours: number;
  readonly alone: number;
  /** Median of the rounds' times of `alone` through those of `ours`: the part of its speed that is kept. */
  readonly kept: number;
  /** The quarter of the rounds that kept least, and most. */
  readonly quartiles: readonly [number, number];
}

/** Runs both once to warm up, then in turns, each first in every other round, so that both see the same machine. */
export async function inTurns(
  rounds: number,
  ours: (round: number) => Promise<number>,
  alone: (round: number) => Promise<number>,
): Promise<Turns> {
  const times: { ours: number; alone: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const found = { ours: 0, alone: 0 };
    for (const which of round % 2 === 0 ? ["ours", "alone"] as const : ["alone", "ours"] as const) {
      found[which] = await (which === "ours" ? ours : alone)(round);
    }
    if (round > 0) times.push(found);
  }
  const ratios = times.map((time) => time.alone / time.ours).sort((a, b) => a - b);
  const quarter = ratios.length >> 2;
  return {
    ours: median(times.map((time) => time.ours)),
    alone: median(times.map((time) => time.alone)),
    kept: median(ratios),
    quartiles: [ratios[quarter], ratios[ratios.length - 1 - quarter]],
  };
}

/** Milliseconds of a call. */
export async function milliseconds(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

/** The cells of a row: both times and what is kept. */
export function turnCells({ ours, alone, kept, quartiles: [least, most] }: Turns, digits = 0): string[] {
  return [ours.toFixed(digits), alone.toFixed(digits), `${kept.toFixed(2)} (${least.toFixed(2)}..${most.toFixed(2)})`];
}
