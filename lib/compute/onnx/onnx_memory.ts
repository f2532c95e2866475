/**
 * The memory that ONNX Runtime takes on the CPU.
 *
 * @module
 */
import type { Graph } from "../tensor/graph.ts";
import { type GraphCost, graphCost, nodeWeights } from "../tensor/graph_cost.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { isKeptHalf, keepsHalves, splitGraph } from "./split_graph.ts";

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

/** What a program costs on the CPU. */
export interface OnnxCost extends GraphCost {
  /** Bytes of the weights that are there twice at one moment: while they are compiled, or widened to be used. */
  readonly doubledBytes: number;
}

/** The cost of a program, from its graph; {@linkcode GraphCost.weightBytes} are those that stay. */
function onnxCost(graph: Graph): OnnxCost {
  const cost = graphCost(graph);
  const parts = splitGraph(graph);
  const doubledBytes = Math.max(...parts.map(({ weightBytes }) => weightBytes));
  const halves = keepsHalves(parts);
  const bytesOf = ([t, bytes]: [Tensor, number]) => halves && isKeptHalf(t) ? bytes / 2 : bytes;
  const weightBytes = sum(parts.flatMap(({ nodes }) => nodes.flatMap((node) => nodeWeights(node, 4).map(bytesOf))));
  return { ...cost, weightBytes, doubledBytes };
}

/** An estimate of the bytes of several programs that are loaded at the same time and run one after another. */
function onnxBytes(programs: readonly OnnxCost[]): number {
  const kept = programs.filter(keepsScratch).map(({ activationBytes }) => activationBytes);
  const released = programs.filter((cost) => !keepsScratch(cost)).map(({ activationBytes }) => activationBytes);
  // Each program has its own weights, and one more copy of a part of them at a time.
  const weights = sum(programs.map(({ weightBytes }) => weightBytes));
  const doubled = Math.max(0, ...programs.map(({ doubledBytes }) => doubledBytes));
  return weights + doubled + FACTOR * (sum(kept) + Math.max(0, ...released));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

/** The memory of programs on the CPU, for plans of models. */
export const onnxMemory: {
  readonly cost: (graph: Graph) => OnnxCost;
  readonly together: (costs: readonly OnnxCost[]) => number;
} = { cost: onnxCost, together: onnxBytes };
