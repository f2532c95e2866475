/**
 * Comparisons with a tolerance that grows with the number.
 *
 * @module
 */
import type { Golden, Numbers } from "../../golden.ts";

/** Largest difference as a share of what is allowed: `abs` or `rel` times the expected number; equal infinities are 0. */
export function relativeError(actual: Numbers, expected: Numbers, { abs = 0, rel = 0 }: Tolerance): number {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(actual[i], expected[i])) continue;
    const d = Math.abs(actual[i] - expected[i]);
    const share = d === 0 ? 0 : d / Math.max(abs, rel * Math.abs(expected[i]));
    if (!(share <= worst)) worst = Number.isNaN(share) ? Infinity : share;
  }
  return worst;
}

/** What is allowed: the larger of both. */
export interface Tolerance {
  readonly abs?: number;
  readonly rel?: number;
}

/** Compares an output with ours; the printed number is the share of what is allowed. */
export function compareWithin(golden: Golden, name: string, actual: Numbers, tolerance: Tolerance): void {
  const { ours, theirs } = golden.kept(name, actual);
  if (tolerance.abs !== undefined) golden.allow(name, tolerance.abs);
  const abs = Math.max(tolerance.abs ?? 0, golden.roundingOf(theirs));
  golden.judge(name, relativeError(ours, theirs, { ...tolerance, abs }), 1);
}
