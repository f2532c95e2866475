/**
 * Rows of the table of real models.
 *
 * @module
 */
import type { Models } from "../../../lib/app/models/models.ts";
import { median } from "../../bench/stopwatch.ts";
import type { FoundModel } from "../../support/real_models.ts";

/** A comparison. */
export interface ProofRow {
  readonly model: string;
  /** The other program. */
  readonly beside: string;
  /** What was compared and what was found. */
  readonly found: string;
  /** Whether it is within its bound. */
  readonly ok: boolean;
  readonly bound: string;
  /** How many times as fast as the other program, where that says something. */
  readonly speed?: string;
}

/** What a part of the proof works with. */
export interface Proof {
  /** The installed models, as a program uses them. */
  readonly models: Models;
  readonly installed: ReadonlyMap<string, FoundModel>;
  /** An interpreter with the packages of requirements.txt. */
  readonly python: string;
  /** A folder for files that go with the proof. */
  readonly folder: string;
  readonly add: (row: ProofRow) => void;
}

/** How many times as fast we were, in rounds in which both worked one after the other. */
export function speedOf(rounds: readonly { readonly ours: number; readonly theirs: number }[]): string {
  return median(rounds.map(({ ours, theirs }) => theirs / ours)).toFixed(2);
}

/** A number as tables show it. */
export function brief(value: number): string {
  return value === 0 ? "0" : value < 0.001 ? value.toExponential(1) : value.toPrecision(2);
}

/** Milliseconds of a call, with its result. */
export async function timed<T>(call: () => Promise<T>): Promise<readonly [result: T, milliseconds: number]> {
  const started = performance.now();
  const result = await call();
  return [result, performance.now() - started];
}
