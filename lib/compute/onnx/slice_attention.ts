/**
 * Attention of many queries as that of a few of them at a time.
 *
 * @module
 */
import { Graph, type GraphNode, type Value } from "../tensor/graph.ts";
import { nodeFlops } from "../tensor/graph_cost.ts";
import { concat, slice } from "../tensor/ops/layout.ts";

/**
 * A graph that computes the same, in which no attention takes more operations than this, as far as it has several
 * queries; the graph itself where none does.
 */
export function sliceAttention(graph: Graph, flops: number): Graph {
  const isLong = (node: GraphNode): boolean => node.op.kind === "attention" && nodeFlops(node) > flops;
  if (!graph.nodes.some(isLong)) return graph;
  const sliced = new Graph({ isWide: graph.isWide });
  const values = new Map<Value, Value>();
  for (const node of graph.nodes) {
    const inputs = node.inputs.map((value) => values.get(value)!);
    const { op, output: { shape, type } } = node;
    if (op.kind === "input") values.set(node.output, sliced.input(op.name, shape, type));
    else if (op.kind === "constant") values.set(node.output, sliced.constant(op.tensor));
    else if (isLong(node)) values.set(node.output, attendInSlices(node, inputs, Math.ceil(nodeFlops(node) / flops)));
    else values.set(node.output, sliced.push(op, inputs, shape, type));
  }
  for (const [name, value] of graph.outputs) sliced.output(name, values.get(value)!);
  return sliced;
}

/** q [B?,Lq,H,D], k, v, bias? broadcastable to [B?,H,Lq,Lk] */
function attendInSlices({ op, output: { shape } }: GraphNode, [q, k, v, bias]: readonly Value[], count: number): Value {
  const axis = q.shape.length - 3;
  const queries = q.shape[axis];
  const rows = Math.ceil(queries / count);
  const found: Value[] = [];
  for (let start = 0; start < queries; start += rows) {
    const end = Math.min(queries, start + rows);
    const isByRow = bias !== undefined && bias.shape.length > 1 && bias.shape.at(-2) === queries;
    const own = isByRow ? slice(bias, { axis: -2, start, end }) : bias;
    const part = shape.map((size, i) => i === axis ? end - start : size);
    found.push(q.graph.push(op, [slice(q, { axis, start, end }), k, v, ...(own ? [own] : [])], part));
  }
  return concat(found, axis);
}
