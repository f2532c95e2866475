/**
 * What convolutions and norms do to their results before they store them.
 *
 * @module
 */
import type { GraphNode, Value } from "../../tensor/graph.ts";
import type { Activation } from "../../tensor/op.ts";
import { sameShape } from "../../tensor/shape.ts";
import type { ElementwiseGroup } from "./fuse_elementwise.ts";

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
