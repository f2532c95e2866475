/**
 * Fuses elementwise operators into one pass, or into what convolutions and norms do to their results before they store
 * them.
 *
 * @module
 */
import type { GraphNode, Value } from "../../tensor/graph.ts";
import type { Activation, OpKind } from "../../tensor/op.ts";
import { sameShape, sizeOf } from "../../tensor/shape.ts";

/** A tree or DAG of elementwise nodes with one result; other values in it are never stored. */
export interface ElementwiseGroup {
  /** In an order in which they can be computed; the last is the result. */
  readonly nodes: readonly GraphNode[];
  /** Values from outside, without single numbers. */
  readonly inputs: readonly Value[];
  /** Constants of one element, passed as numbers. */
  readonly numbers: readonly Value[];
}

/**
 * Maximum number of numbers of one kernel, including clamp bounds; see the length of `words` in
 * `kernels-wgsl/elementwise.wgsl`.
 */
const maxNumbers = 24;

const elementwiseKinds: ReadonlySet<OpKind> = new Set(["unary", "binary", "clamp", "cast"]);

/** True for nodes that compute each element of their result from one element of each input. */
export function isElementwise(node: GraphNode): boolean {
  return elementwiseKinds.has(node.op.kind);
}

/**
 * Groups elementwise nodes: a node joins its consumers when all of them are in one group, also across a broadcast
 * (the few operations are then repeated, which is cheaper than storing and loading). Gives the group of each result.
 *
 * @param nodes the nodes of a graph, inputs first
 * @param kept values that must be stored because they are outputs
 * @param maxInputs buffers that one kernel can read
 */
export function fuseElementwise(
  nodes: readonly GraphNode[],
  kept: ReadonlySet<Value>,
  maxInputs: number,
): Map<GraphNode, ElementwiseGroup> {
  const producers = new Map(nodes.map((node) => [node.output, node]));
  const consumers = new Map<Value, Set<GraphNode>>();
  for (const node of nodes) {
    for (const input of node.inputs) {
      const known = consumers.get(input);
      if (known) known.add(node);
      else consumers.set(input, new Set([node]));
    }
  }
  const isNumber = (value: Value) => {
    const { op } = producers.get(value)!;
    return op.kind === "constant" && value.type === "float" && sizeOf(value.shape) === 1;
  };

  const resultOf = new Map<GraphNode, GraphNode>();
  const groups = new Map<GraphNode, { nodes: GraphNode[]; inputs: Set<Value>; numbers: Set<Value> }>();
  for (const node of nodes.toReversed()) {
    if (!isElementwise(node)) continue;
    const results = new Set([...consumers.get(node.output) ?? []].map((consumer) => resultOf.get(consumer)));
    const [result] = results;
    const group = results.size === 1 && result && !kept.has(node.output) ? groups.get(result)! : undefined;
    const inputs = new Set(group?.inputs);
    const numbers = new Set(group?.numbers);
    inputs.delete(node.output);
    for (const input of node.inputs) (isNumber(input) ? numbers : inputs).add(input);
    const bounds = 2 * [node, ...group?.nodes ?? []].filter(({ op }) => op.kind === "clamp").length;
    if (group && inputs.size <= maxInputs && numbers.size + bounds <= maxNumbers) {
      resultOf.set(node, result!);
      group.nodes.unshift(node);
      Object.assign(group, { inputs, numbers });
    } else {
      resultOf.set(node, node);
      groups.set(node, {
        nodes: [node],
        inputs: new Set(node.inputs.filter((v) => !isNumber(v))),
        numbers: new Set(node.inputs.filter(isNumber)),
      });
    }
  }
  return new Map(
    Array.from(groups, ([result, { nodes, inputs, numbers }]) => [
      result,
      { nodes, inputs: [...inputs], numbers: [...numbers] },
    ]),
  );
}

/** The elementwise operators after a convolution or norm, where nothing else reads what it gives. */
export interface Epilogue {
  /** The result, in place of the node's own. */
  readonly result: Value;
  /** Added first, of the result's shape; computed before the node. */
  readonly residual?: Value | undefined;
  readonly activation?: Activation | undefined;
}

const activationNames: ReadonlySet<string> = new Set<Activation>(["relu", "silu", "gelu", "geluErf"]);

/** The epilogues of a graph: `f(x)` and, of convolutions, `x + residual` and `f(x + residual)`. */
export function findEpilogues(
  nodes: readonly GraphNode[],
  kept: ReadonlySet<Value>,
  groups: ReadonlyMap<GraphNode, ElementwiseGroup>,
): ReadonlyMap<GraphNode, Epilogue> {
  const places = new Map(nodes.map((node, i) => [node.output, i]));
  const uses = new Map<Value, number>();
  for (const input of nodes.flatMap(({ inputs }) => inputs)) uses.set(input, (uses.get(input) ?? 0) + 1);
  const epilogues = new Map<GraphNode, Epilogue>();
  for (const { nodes: chain } of groups.values()) {
    const result = chain[chain.length - 1].output;
    const [first, second] = chain;
    const isSum = first.op.kind === "binary" && first.op.fn === "add";
    const activation = activationOf(isSum ? second : first);
    if (chain.length !== (isSum && activation ? 2 : 1) || !isSum && !activation) continue;
    // Of two convolutions whose results are added, the later one can read what the other has stored.
    const [last, residual] = [...first.inputs].sort((a, b) => places.get(b)! - places.get(a)!);
    const node = nodes[places.get(last)!];
    const isConvolution = node.op.kind === "conv2d" || node.op.kind === "conv3d";
    const takes = isConvolution || !isSum && (node.op.kind === "rmsNorm" || node.op.kind === "layerNorm");
    const fits = first.inputs.every(({ shape, type }) => type === "float" && sameShape(shape, result.shape));
    if (takes && fits && uses.get(last) === 1 && !kept.has(last)) {
      epilogues.set(node, { result, residual, activation });
    }
  }
  return epilogues;
}

function activationOf(node: GraphNode | undefined): Activation | undefined {
  return node?.op.kind === "unary" && activationNames.has(node.op.fn) ? node.op.fn as Activation : undefined;
}
