/**
 * Cuts graphs of many weights, and of long runs, into parts that are compiled, and run, one after another.
 *
 * @module
 */
import type { Graph, GraphNode, Value } from "../tensor/graph.ts";
import { neededNodes, nodeFlops, nodeWeights } from "../tensor/graph_cost.ts";
import { ShapeError, sizeOf } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { sliceAttention } from "./slice_attention.ts";

/**
 * Bytes of the weights of a part, as 32-bit floats: the runtime holds those of a part twice while it compiles it. A
 * weight that alone has more is a part of its own.
 */
const PART_BYTES = 2 ** 30;

/**
 * Floating-point operations of a part of a program on the CPU: the runtime cannot be stopped within one. That is half a
 * second on two free cores. Less of it costs more than it gives: half of this makes blocks of 960x544 a tenth slower.
 */
export const PART_FLOPS: number = 2 ** 35;

/** What a part may have at most; one node may have more. */
export interface PartLimits {
  /** Bytes of its weights as 32-bit floats; {@linkcode PART_BYTES} by default. */
  readonly bytes?: number | undefined;
  /** Floating-point operations; any number by default. */
  readonly flops?: number | undefined;
}

/** Constants from this many elements on are worth keeping in 16 bits. */
export const HALVES_FROM: number = 2 ** 16;

/** A part of a graph. */
export interface GraphPart {
  /** What it computes, in an order in which it can run, after the inputs and constants that it reads. */
  readonly nodes: readonly GraphNode[];
  /** Values of earlier parts that it reads. */
  readonly takes: readonly Value[];
  /** Values that later parts read. */
  readonly gives: readonly Value[];
  /** The outputs of the graph that it computes, by name. */
  readonly outputs: ReadonlyMap<string, Value>;
  /** Bytes of its weights as 32-bit floats. */
  readonly weightBytes: number;
}

/** A part that is being filled. */
interface Open {
  readonly computed: GraphNode[];
  readonly weights: Set<Tensor>;
  bytes: number;
  flops: number;
}

/**
 * The parts of what the outputs of a graph depend on; most graphs are one.
 *
 * @throws {ShapeError} when the graph has no outputs.
 */
export function splitGraph(
  whole: Graph,
  { bytes: limit = PART_BYTES, flops = Infinity }: PartLimits = {},
): GraphPart[] {
  const graph = sliceAttention(whole, flops);
  if (graph.outputs.size === 0) throw new ShapeError("Cannot compile a graph: it has no outputs, name one with output");
  const open = (): Open => ({ computed: [], weights: new Set(), bytes: 0, flops: 0 });
  const parts = [open()];
  const home = new Map<Value, number>();
  for (const node of neededNodes(graph)) {
    if (isSource(node)) continue;
    const read = [node, ...node.inputs.map(({ id }) => graph.nodes[id])].flatMap((one) => nodeWeights(one, 4));
    const bytesIn = ({ weights }: Open) => read.reduce((sum, [t, bytes]) => sum + (weights.has(t) ? 0 : bytes), 0);
    let part = parts.at(-1)!;
    const isHeavy = part.bytes > 0 && part.bytes + bytesIn(part) > limit;
    const own = nodeFlops(node); // what takes nothing goes with what it follows, which may be one kernel
    if (isHeavy || own > 0 && part.flops > 0 && part.flops + own > flops) parts.push(part = open());
    part.bytes += bytesIn(part);
    part.flops += own;
    for (const [t] of read) part.weights.add(t);
    part.computed.push(node);
    home.set(node.output, parts.length - 1);
  }
  const lastUse = new Map<Value, number>();
  parts.forEach(({ computed }, i) =>
    computed.forEach(({ inputs }) => inputs.forEach((value) => lastUse.set(value, i)))
  );
  return parts.map(({ computed, bytes }, i) => {
    const named = [...graph.outputs].filter(([, value]) => (home.get(value) ?? parts.length - 1) === i);
    const reads = new Set([...computed.flatMap(({ inputs }) => inputs), ...named.map(([, value]) => value)]);
    return {
      nodes: [...graph.nodes.filter((node) => isSource(node) && reads.has(node.output)), ...computed],
      takes: [...reads].filter((value) => home.has(value) && home.get(value)! < i),
      gives: computed.map(({ output }) => output).filter((value) => lastUse.has(value) && lastUse.get(value)! > i),
      outputs: new Map(named),
      weightBytes: bytes,
    };
  });
}

/**
 * Whether weights of 16 bits stay so in memory and are widened whenever they are used. Linear layers of 512 rows then
 * take a fifth longer, and half the memory. The kernels of convolutions are reshaped before, once and for all.
 */
export function keepsHalves(parts: readonly GraphPart[]): boolean {
  return parts.length > 1 &&
    !parts.some(({ nodes }) => nodes.some(({ op }) => op.kind === "conv2d" || op.kind === "conv3d"));
}

/** Whether a constant is one of those that stay in 16 bits. */
export function isKeptHalf({ dtype, shape }: Tensor): boolean {
  return (dtype === "f16" || dtype === "bf16") && sizeOf(shape) >= HALVES_FROM;
}

function isSource({ op }: GraphNode): boolean {
  return op.kind === "constant" || op.kind === "input";
}
