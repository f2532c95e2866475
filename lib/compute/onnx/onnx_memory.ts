/**
 * The memory that ONNX Runtime takes on the CPU.
 *
 * @module
 */
import type { GraphCost } from "../tensor/graph_cost.ts";

/** Programs that need up to this much for their results keep it between runs. */
const KEPT_SCRATCH = 8 * 2 ** 20;

/**
 * What the runtime takes for each byte that the graph needs: it splits operators into several, rounds up, and what is
 * released is not reused at once. Measured with embedded worlds of 96x64 to 1280x704.
 */
const FACTOR = 5;

/**
 * Whether a program keeps its scratch memory between runs, as the runtime does by default. That saves a small program a
 * fifth of its time; the large ones of a model would hold gigabytes that only one of them uses at a time.
 */
export function keepsScratch({ activationBytes }: GraphCost): boolean {
  return activationBytes <= KEPT_SCRATCH;
}

/** An estimate of the bytes of several programs that are loaded at the same time and run one after another. */
export function onnxBytes(programs: readonly GraphCost[]): number {
  const weights = programs.map(({ weightBytes }) => weightBytes);
  const kept = programs.filter(keepsScratch).map(({ activationBytes }) => activationBytes);
  const released = programs.filter((cost) => !keepsScratch(cost)).map(({ activationBytes }) => activationBytes);
  // Each program has its own weights, and one more copy while it is compiled.
  return sum(weights) + Math.max(0, ...weights) + FACTOR * (sum(kept) + Math.max(0, ...released));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
