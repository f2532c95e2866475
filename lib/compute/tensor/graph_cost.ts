/**
 * What running a graph costs, worked out from its shapes alone.
 *
 * @module
 */
import type { Graph, GraphNode, Value } from "./graph.ts";
import { sizeOf } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/** Cost of one run. */
export interface GraphCost {
  /** Floating-point operations of matrix products, convolutions and attention; a multiply-add counts as two. */
  readonly flops: number;
  /** Bytes of all constants on the device, each counted once. */
  readonly weightBytes: number;
  /** Bytes of inputs and results that are needed at one moment, at most. What a device fuses or copies is not known. */
  readonly activationBytes: number;
  /** Bytes of all inputs and outputs, which a caller may hold before and after. */
  readonly passedBytes: number;
  /** Bytes of results that are needed at one moment, at most, besides outputs. */
  readonly innerBytes: number;
}

/**
 * The cost of what the outputs of a graph depend on. Weights need no elements: a plan can be made before they are read.
 *
 * @param bytesPerFloat Bytes of a float on the device.
 */
export function graphCost(graph: Graph, bytesPerFloat: 2 | 4 = 4): GraphCost {
  const nodes = neededNodes(graph);
  const weights = new Map<Tensor, number>();
  for (const [t, bytes] of nodes.flatMap((node) => nodeWeights(node, bytesPerFloat))) weights.set(t, bytes);
  return {
    flops: nodes.reduce((sum, node) => sum + nodeFlops(node), 0),
    weightBytes: [...weights.values()].reduce((a, b) => a + b, 0),
    ...peaks(graph, nodes, bytesPerFloat),
  };
}

/** Floating-point operations by the kind of kernel; a multiply-add counts as two. */
export interface GraphFlops {
  readonly matmul: number;
  readonly conv: number;
  readonly attention: number;
}

/** The operations of one run, as {@linkcode graphCost} counts them. */
export function graphFlops(graph: Graph): GraphFlops {
  const flops = { matmul: 0, conv: 0, attention: 0 };
  for (const node of neededNodes(graph)) {
    const { kind } = node.op;
    const group = kind === "attention" ? "attention" : kind === "conv2d" || kind === "conv3d" ? "conv" : "matmul";
    flops[group] += nodeFlops(node);
  }
  return flops;
}

/** What a program takes on a device that was asked to lower its graph, in bytes. */
export interface ProgramPlan {
  readonly dispatches: number;
  /** Memory of values inside the program; programs of a device share it. */
  readonly scratchBytes: number;
  /** Memory of the outputs of one run. */
  readonly outputBytes: number;
  /** What stands for each constant with its bytes on the device; programs of a device share them. */
  readonly constants: ReadonlyMap<object, number>;
  /** Of all that a kernel binds at once. */
  readonly largestBinding: number;
  /** Read and written by all dispatches of a run, each binding counted once. */
  readonly trafficBytes: number;
}

/** The tensors that a node holds, with their bytes on a device. */
export function nodeWeights({ op }: GraphNode, bytesPerFloat: number): [Tensor, number][] {
  const sized = (t: Tensor, bytes: number): [Tensor, number] => [t, sizeOf(t.shape) * bytes];
  if (op.kind === "constant") return [sized(op.tensor, op.tensor.dtype === "i32" ? 4 : bytesPerFloat)];
  if (op.kind !== "quantizedLinear") return [];
  const { values, scales, zeroPoints } = op.weight;
  return [sized(values, 1), sized(scales, bytesPerFloat), ...(zeroPoints ? [sized(zeroPoints, 1)] : [])];
}

/** Floating-point operations of one node, as {@linkcode graphCost} counts them. */
export function nodeFlops({ op, inputs, output }: GraphNode): number {
  const results = 2 * sizeOf(output.shape);
  switch (op.kind) {
    case "matmul":
    case "quantizedLinear":
      return results * inputs[0].shape.at(-1)!;
    case "conv2d":
    case "conv3d":
      return results * sizeOf(inputs[1].shape.slice(1));
    case "attention": {
      const [queries, heads, width] = inputs[0].shape.slice(-3);
      const [keys, , valueWidth] = inputs[2].shape.slice(-3);
      const batch = sizeOf(inputs[0].shape.slice(0, -3));
      return 2 * batch * queries * keys * heads * (width + valueWidth);
    }
    default:
      return 0;
  }
}

/** The largest sums of values that are alive at once; a reshape is its input under another name. */
function peaks(
  graph: Graph,
  nodes: readonly GraphNode[],
  bytesPerFloat: number,
): Pick<GraphCost, "activationBytes" | "passedBytes" | "innerBytes"> {
  const owner = new Map<Value, Value>();
  const lastUse = new Map<Value, number>();
  const bytesOf = (v: Value) => sizeOf(v.shape) * (v.type === "float" ? bytesPerFloat : 4);
  nodes.forEach(({ op, inputs, output }, i) => {
    owner.set(output, op.kind === "reshape" ? owner.get(inputs[0])! : output);
    for (const v of [output, ...inputs]) lastUse.set(owner.get(v)!, i);
  });
  const passed = new Set<Value>();
  for (const { op, output } of nodes) if (op.kind === "input") passed.add(output);
  for (const output of graph.outputs.values()) {
    lastUse.set(owner.get(output)!, nodes.length);
    passed.add(owner.get(output)!);
  }
  const ending = new Map<number, Value[]>();
  for (const [value, i] of lastUse) ending.set(i, [...(ending.get(i) ?? []), value]);
  let [alive, inner, activationBytes, innerBytes] = [0, 0, 0, 0];
  const change = (value: Value, bytes: number): void => {
    alive += bytes;
    if (!passed.has(value)) inner += bytes;
  };
  nodes.forEach(({ op, output }, i) => {
    if (op.kind !== "constant" && owner.get(output) === output) change(output, bytesOf(output));
    activationBytes = Math.max(activationBytes, alive);
    innerBytes = Math.max(innerBytes, inner);
    for (const value of ending.get(i) ?? []) {
      if (graph.nodes[value.id].op.kind !== "constant") change(value, -bytesOf(value));
    }
  });
  const passedBytes = [...passed].reduce((sum, value) => sum + bytesOf(value), 0);
  return { activationBytes, passedBytes, innerBytes };
}

/** The nodes that the outputs of a graph depend on, in their order. */
export function neededNodes(graph: Graph): GraphNode[] {
  const needed = new Set<Value>(graph.outputs.values());
  for (const node of graph.nodes.toReversed()) {
    if (needed.has(node.output)) { for (const value of node.inputs) needed.add(value); }
  }
  return graph.nodes.filter((node) => needed.has(node.output));
}
