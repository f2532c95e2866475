/**
 * The memory that ONNX Runtime takes on the CPU.
 *
 * @module
 */
import type { Graph, GraphNode } from "../tensor/graph.ts";
import { type GraphCost, graphCost, nodeWeights } from "../tensor/graph_cost.ts";
import { sizeOf } from "../tensor/shape.ts";
import { isKeptHalf, keepsHalves, splitGraph } from "./split_graph.ts";

/** Programs that need up to this much for their results keep it between runs: a decoder of 192x128 does. */
const KEPT_SCRATCH = 16 * 2 ** 20;

/**
 * What the runtime takes for each byte that a graph needs: it splits operators into several, rounds up, and what is
 * released is not reused at once. Measured with decoders of 192x128 to 832x480 and with the embedded worlds.
 */
const RELEASED_FACTOR = 3;

/** Bytes of a program's values from which on it takes {@linkcode LARGE_FACTOR} for each byte more. */
const RELEASED_SMALL = 256 * 2 ** 20;

/** What large values take: they go straight back to the system. Measured with decoders of 832x480. */
const LARGE_FACTOR = 2;

/** The same where a program keeps what it took. */
const KEPT_FACTOR = 5;

/**
 * Whether a program keeps its scratch memory between runs, as the runtime does by default. That saves a small program a
 * fifth of its time, which the system would take to clear pages; the large ones of a model would hold gigabytes that only one of them uses at a time.
 */
export function keepsScratch({ activationBytes }: GraphCost): boolean {
  return activationBytes <= KEPT_SCRATCH;
}

/** What a program costs on the CPU. */
export interface OnnxCost extends GraphCost {
  /** Bytes of the weights that are there twice while they are compiled. */
  readonly doubledBytes: number;
  /** Bytes of a weight of 16 bits that is widened to be used. */
  readonly widenedBytes: number;
  /** Bytes of the logits of attention with a bias, which the runtime does not compute in parts. */
  readonly logitBytes: number;
}

/**
 * The cost of a program, from its graph; {@linkcode GraphCost.weightBytes} are those that stay.
 *
 * @param besideBytes Bytes that are held while it runs, besides what it takes and gives.
 */
function onnxCost(graph: Graph, besideBytes = 0): OnnxCost {
  const cost = graphCost(graph);
  const parts = splitGraph(graph);
  const doubledBytes = Math.max(...parts.map(({ weightBytes }) => weightBytes));
  const weights = parts.flatMap(({ nodes }) => nodes.flatMap((node) => nodeWeights(node, 4)));
  const kept = keepsHalves(parts) ? weights.filter(([t]) => isKeptHalf(t)) : [];
  return {
    ...cost,
    passedBytes: cost.passedBytes + besideBytes,
    weightBytes: sum(weights.map(([, bytes]) => bytes)) - sum(kept.map(([, bytes]) => bytes)) / 2,
    doubledBytes,
    widenedBytes: Math.max(0, ...kept.map(([, bytes]) => bytes)),
    logitBytes: Math.max(0, ...parts.flatMap(({ nodes }) => nodes.map(logitBytes))),
  };
}

function logitBytes({ op, inputs: [q, k] }: GraphNode): number {
  if (op.kind !== "attention" || !op.bias) return 0;
  return 4 * sizeOf(q.shape.slice(0, -1)) * k.shape.at(-3)!;
}

/** An estimate of the bytes of several programs, which run one after another. */
function onnxBytes({ programs, alternatives, transient }: ProgramCosts): number {
  return Math.max(
    bytesWith(programs, transient),
    ...alternatives.map((group) => bytesWith([...programs, ...group], transient)),
  );
}

function bytesWith(resident: readonly OnnxCost[], transient: readonly OnnxCost[]): number {
  const weights = sum(resident.map(({ weightBytes }) => weightBytes));
  const kept = KEPT_FACTOR * sum(resident.filter(keepsScratch).map(({ activationBytes }) => activationBytes));
  // Each program has its own weights. While one is compiled a part of them is there twice, and none runs.
  const moments = [
    ...resident.flatMap((cost) => [cost.doubledBytes, runBytes(cost)]),
    ...transient.map((cost) => cost.weightBytes + Math.max(cost.doubledBytes, runBytes(cost))),
  ];
  return weights + kept + Math.max(0, ...moments);
}

/** What a run takes and gives back. */
function runBytes(cost: OnnxCost): number {
  if (keepsScratch(cost)) return 0;
  const { innerBytes, logitBytes } = cost;
  const small = Math.min(innerBytes, RELEASED_SMALL);
  return LARGE_FACTOR * (innerBytes - small) + RELEASED_FACTOR * (small + logitBytes) + cost.passedBytes +
    cost.widenedBytes;
}

/** Costs of programs by how long they are loaded. */
interface ProgramCosts {
  readonly programs: readonly OnnxCost[];
  readonly alternatives: readonly (readonly OnnxCost[])[];
  readonly transient: readonly OnnxCost[];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

/** The memory of programs on the CPU, for plans of models. */
export const onnxMemory: {
  readonly cost: (graph: Graph, besideBytes?: number) => OnnxCost;
  readonly together: (costs: ProgramCosts) => number;
} = { cost: onnxCost, together: onnxBytes };
