/**
 * Counts cases that a device computes as the CPU does, and keeps the largest difference of each kind of operator.
 *
 * @module
 */
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { type Expected, type LargerCase, runCase } from "./larger_expected.ts";
import { log, messageOf } from "./part.ts";

/** The cases of one device. */
export class CaseTally {
  readonly failed: string[] = [];
  readonly #name: string;
  readonly #tolerance: number;
  readonly #kinds = new Map<string, { cases: number; error: number; of: string }>();
  cases = 0;

  constructor(name: string, tolerance: number) {
    this.#name = name;
    this.#tolerance = tolerance;
  }

  /** The largest difference of all. */
  get worst(): string {
    return Math.max(...Array.from(this.#kinds.values(), ({ error }) => error)).toExponential(1);
  }

  async compare(device: Device, each: LargerCase, expected: () => Promise<Expected>): Promise<void> {
    this.cases++;
    const kind = operatorOf(each);
    const row = this.#kinds.get(kind) ?? { cases: 0, error: 0, of: "" };
    this.#kinds.set(kind, row);
    row.cases++;
    try {
      const error = difference(await runCase(device, each), await expected());
      if (!(error <= row.error)) Object.assign(row, { error, of: each.name });
      if (error <= this.#tolerance) return;
      this.failed.push(`${each.name}: off by ${error.toExponential(1)}`);
    } catch (error) {
      this.failed.push(`${each.name}: ${messageOf(error).slice(0, 300)}`);
    }
    log(`FAILED ${this.#name}: ${this.failed.at(-1)}`);
  }

  summary(): Record<string, unknown> {
    const kinds = [...this.#kinds].sort().map(([kind, row]) => ({ kind, ...row }));
    return { cases: this.cases, failed: this.failed, worst: this.worst, kinds };
  }
}

/** The largest difference as a share of the largest number, or of 1; not a number where the sizes differ. */
function difference(actual: ArrayLike<number>, { indices, values, size }: Expected): number {
  if (actual.length !== size) return NaN;
  let [scale, most] = [1, 0];
  for (let i = 0; i < values.length; i++) {
    scale = Math.max(scale, Math.abs(values[i]));
    const apart = Math.abs(actual[indices[i]] - values[i]);
    if (!(apart <= most)) most = apart; // also where it is not a number
  }
  return most / scale;
}

/** The heaviest operator of a graph. */
function operatorOf({ graph }: LargerCase): string {
  const kinds = new Set<string>(graph.nodes.map(({ op }) => op.kind));
  const heavy = [
    "attention",
    "conv3d",
    "conv2d",
    "quantizedLinear",
    "matmul",
    "rmsNorm",
    "layerNorm",
    "softmax",
    "rope",
  ];
  return heavy.find((kind) => kinds.has(kind)) ?? graph.nodes.at(-1)!.op.kind;
}
