/**
 * What every part of the GPU proof shares: log lines with times, results that survive a kill, and its time limit.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Whether sizes are tiny, for a rehearsal on a software adapter. */
export const SMALL: boolean = process.env.SVC_PROOF_SMALL === "1";

/** The exit code of a part that found no adapter. */
export const NO_ADAPTER = 3;

const began = performance.now();
const limit = Number(process.env.SVC_PROOF_SECONDS ?? Infinity);

/** Prints a line with the seconds since the start. */
export function log(text: string): void {
  process.stdout.write(`+${((performance.now() - began) / 1000).toFixed(1)}s ${text}\n`);
}

/** Seconds until the part is stopped from outside. */
export function secondsLeft(): number {
  return limit - (performance.now() - began) / 1000;
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The results of one part: written again after every change, so that a part that is stopped leaves what it had. */
export class PartResults {
  readonly data: Record<string, unknown> = {};
  readonly #file: string | undefined;

  constructor(name: string) {
    const folder = process.env.SVC_PROOF_RESULTS;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${name}.json`);
  }

  set(key: string, value: unknown): void {
    this.data[key] = value;
    // JSON has no infinity and no NaN; both are findings here.
    const finite = (_: string, v: unknown) => typeof v === "number" && !Number.isFinite(v) ? String(v) : v;
    if (this.#file) writeFileSync(this.#file, JSON.stringify(this.data, finite, 1));
  }
}

/** Thrown where the part cannot run because the machine has no such adapter. */
export class NoAdapter extends Error {}

/** Runs a part and ends the process: with 0, with 1 when it failed, with 3 when there is no adapter. */
export async function runPart(name: string, work: (results: PartResults) => Promise<void>): Promise<never> {
  const results = new PartResults(name);
  try {
    await work(results);
    results.set("ended", true);
    process.exit(0);
  } catch (error) {
    log(`${name} failed: ${error instanceof Error && !(error instanceof NoAdapter) ? error.stack : messageOf(error)}`);
    results.set("failed", messageOf(error));
    process.exit(error instanceof NoAdapter ? NO_ADAPTER : 1);
  }
}
