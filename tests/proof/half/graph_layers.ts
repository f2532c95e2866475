/**
 * The layers of a graph: a product, convolution, attention, norm or reduction, and the elementwise work that follows it.
 *
 * @module
 */
import { Graph, type GraphNode, type Tensor, type Value } from "../../../lib/compute/tensor/mod.ts";
import { neededNodes } from "../../../lib/compute/tensor/graph_cost.ts";
import type { TensorShapes, Weights } from "../../../lib/models/checkpoint/weights.ts";
import { LAYER_KINDS, layerDepths } from "../../support/layer_depth.ts";

/** A layer, cut out of its graph. */
export interface GraphLayer {
  /** The weight that it reads, such as `blocks.0.ffn.2`, or its operator and the weight of the layer that it is for. */
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  /** What other layers, or the outputs of the graph, take from it. */
  readonly gives: readonly Value[];
  /** Layers on the longest way to its results, itself included. */
  readonly depth: number;
}

/** The name of a weight, if it has one. */
export type WeightNames = (t: Tensor) => string | undefined;

/** Finds weights by their memory, so that a part or another shape of one has its name too. */
export function namesOf(weights: Weights, shapes: TensorShapes): WeightNames {
  const known = new Map<ArrayBufferLike, { name: string; from: number; to: number }[]>();
  for (const name of shapes.keys()) {
    const { buffer, byteOffset: from, byteLength } = weights.get(name).data;
    const list = known.get(buffer) ?? [];
    known.set(buffer, list);
    list.push({ name: name.replace(/\.(weight|gamma|bias)$/, ""), from, to: from + byteLength });
  }
  return ({ data: { buffer, byteOffset: at } }) =>
    known.get(buffer)?.find(({ from, to }) => from <= at && at < to)?.name;
}

/** Cuts what the outputs of a graph depend on into layers, in an order in which they can run. */
export function graphLayers(graph: Graph, nameOf: WeightNames): GraphLayer[] {
  const home = new Map<Value, number>();
  const layers: GraphNode[][] = [];
  const nodes = neededNodes(graph).filter(({ op }) => op.kind !== "input" && op.kind !== "constant");
  for (const node of nodes) {
    const from = Math.max(...node.inputs.map((value) => home.get(value) ?? -1));
    // What only moves inputs and weights about belongs to every layer that reads it.
    if (!LAYER_KINDS.has(node.op.kind) && from < 0) continue;
    const at = LAYER_KINDS.has(node.op.kind) ? layers.push([]) - 1 : from;
    layers[at].push(node);
    home.set(node.output, at);
  }
  const given = new Set(graph.outputs.values());
  for (const node of nodes) {
    for (const value of node.inputs) if (home.get(value) !== home.get(node.output)) given.add(value);
  }
  const weightOf = nodeNames(graph, nameOf);
  const depths = layerDepths(graph);
  return layers.map((own, i) => ({
    depth: Math.max(...own.map(({ output }) => depths[output.id])),
    name: layerName(own, () => layers.slice(i + 1).filter((later) => reads(later, own)), weightOf),
    nodes: own,
    gives: own.map(({ output }) => output).filter((value) => given.has(value)),
  })).filter(({ gives }) => gives.length > 0);
}

/** A graph of layers that do not see each other's results: each takes them as inputs `v<id>`. */
export function separateLayers(layers: readonly GraphLayer[]): Graph {
  const graph = new Graph();
  const taken = new Map<string, Value>();
  for (const [i, { nodes, gives }] of layers.entries()) {
    const made = new Map<Value, Value>();
    const own = new Set(nodes.map(({ output }) => output));
    const computed = new Set(layers.flatMap((layer) => layer.nodes.map(({ output }) => output)));
    const copy = (value: Value): Value => {
      const known = made.get(value);
      if (known) return known;
      const { op, inputs } = value.graph.nodes[value.id];
      const outside = op.kind === "input" || computed.has(value) && !own.has(value);
      const name = op.kind === "input" ? op.name : `v${value.id}`;
      if (outside && !taken.has(name)) taken.set(name, graph.input(name, value.shape, value.type));
      const result = outside
        ? taken.get(name)!
        : op.kind === "constant"
        ? graph.constant(op.tensor)
        : graph.push(op, inputs.map(copy), value.shape, value.type);
      made.set(value, result);
      return result;
    };
    gives.forEach((value, j) => graph.output(`${i}.${j}`, copy(value)));
  }
  return graph;
}

function reads(later: readonly GraphNode[], own: readonly GraphNode[]): boolean {
  return later.some(({ inputs }) => inputs.some((value) => own.some(({ output }) => output === value)));
}

/** The first weight that each node reads, through what reshapes weights as well. */
function nodeNames(graph: Graph, nameOf: WeightNames): (node: GraphNode) => string | undefined {
  const names = new Map<Value, string | undefined>();
  for (const { op, inputs, output } of graph.nodes) {
    if (op.kind === "constant") names.set(output, nameOf(op.tensor));
    else if (!LAYER_KINDS.has(op.kind) && inputs.length === 1) names.set(output, names.get(inputs[0]));
  }
  return ({ inputs, op }) =>
    LAYER_KINDS.has(op.kind) ? inputs.map((value) => names.get(value)).find((name) => name !== undefined) : undefined;
}

function layerName(
  own: readonly GraphNode[],
  readers: () => readonly (readonly GraphNode[])[],
  weightOf: (node: GraphNode) => string | undefined,
): string {
  const name = weightOf(own[0]);
  const reader = name ? undefined : readers().map((nodes) => weightOf(nodes[0])).find((found) => found !== undefined);
  return name ?? `${own[0].op.kind}${reader ? ` for ${reader}` : ""}`;
}
