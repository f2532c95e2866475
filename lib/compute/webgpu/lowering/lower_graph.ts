/**
 * Lowering of whole graphs: which nodes run, in which order, as which dispatches.
 *
 * @module
 */
import type { Precision } from "../../tensor/device.ts";
import type { Graph, GraphNode, Value } from "../../tensor/graph.ts";
import type { GpuLimits } from "../gpu_context.ts";
import { type Epilogue, findEpilogues, fuseElementwise, isElementwise } from "./fuse_elementwise.ts";
import { lowerAttention, lowerRope } from "./lower_attention.ts";
import { type ConvSource, convSources, lowerConv } from "./lower_conv.ts";
import { lowerElementwise } from "./lower_elementwise.ts";
import {
  lowerBroadcast,
  lowerConcat,
  lowerGather,
  lowerPad,
  lowerReshape,
  lowerSlice,
  lowerTranspose,
  lowerUpsample,
} from "./lower_layout.ts";
import { lowerMatmul } from "./lower_matmul.ts";
import { lowerNorm, lowerReduce, lowerSoftmax } from "./lower_norm.ts";
import { lowerQuantizedLinear } from "./lower_quantized_linear.ts";
import { Lowering } from "./lowering.ts";
import type { Step } from "./step.ts";
import { isWhole, type Region, type View } from "./view.ts";

/** A graph as dispatches over memory regions. */
export interface LoweredGraph {
  readonly steps: readonly Step[];
  /** The region that is all of each output. */
  readonly outputs: ReadonlyMap<string, Region>;
}

/** Lowers a graph to dispatches within the limits of a device. */
export function lowerGraph(graph: Graph, limits: GpuLimits, precision: Precision): LoweredGraph {
  const lowering = new Lowering(limits, precision, graph.entries);
  const nodes = reachableNodes(graph);
  const kept = new Set(graph.outputs.values());
  // Every device can bind seven inputs and an output, which also fit into the kernel's uniform struct.
  const groups = fuseElementwise(nodes, kept, Math.min(limits.maxStorageBuffersPerShaderStage, 8) - 1);
  const tensorOf = (value: Value) => {
    const { op } = graph.nodes[value.id];
    if (op.kind !== "constant") throw new Error(`Cannot lower graph: value ${value.id} is not a constant`);
    return op.tensor;
  };
  const regions = new Map<Value, Region>();
  const unmade = convSources(nodes, kept);
  const epilogues = findEpilogues(nodes, kept, groups);
  const stored = new Set<Value>();
  for (const node of nodes) {
    if (unmade.has(node.output)) continue;
    const group = groups.get(node);
    const epilogue = takenEpilogue(lowering, epilogues.get(node));
    if (epilogue) stored.add(epilogue.result);
    if (!isElementwise(node)) lowerNode(lowering, node, unmade, epilogue);
    if (group && !stored.has(node.output)) lowerElementwise(lowering, group, tensorOf);
    // An output that is a part of something larger is copied out at once: what it is a part of may then be overwritten.
    if (kept.has(node.output)) regions.set(node.output, wholeOutput(lowering, lowering.view(node.output)));
  }
  const outputs = new Map(Array.from(graph.outputs, ([name, value]) => [name, regions.get(value)!]));
  return { steps: lowering.steps, outputs };
}

/** An epilogue, unless its residual lies where the kernel would have to have a copy of it. */
function takenEpilogue(lowering: Lowering, epilogue: Epilogue | undefined): Epilogue | undefined {
  return !epilogue?.residual || lowering.isDense(lowering.view(epilogue.residual)) ? epilogue : undefined;
}

/** Nodes that an output depends on, in the order of the graph. */
function reachableNodes(graph: Graph): GraphNode[] {
  const reached = new Set<Value>(graph.outputs.values());
  for (const node of graph.nodes.toReversed()) {
    if (reached.has(node.output)) node.inputs.forEach((v) => reached.add(v));
  }
  return graph.nodes.filter((node) => reached.has(node.output));
}

/** An output has its own region, dense from the first element on. */
function wholeOutput(lowering: Lowering, view: View): Region {
  if (isWhole(view, lowering.bytesOf(view.region.type))) return view.region;
  const output = lowering.allocate(view.shape, view.region.type);
  lowering.copy("output", view, output);
  return output.region;
}

function lowerNode(
  lowering: Lowering,
  { op, inputs, output }: GraphNode,
  unmade: ReadonlyMap<Value, ConvSource>,
  epilogue: Epilogue = { result: output },
): void {
  switch (op.kind) {
    case "input":
      return lowering.place(output, lowering.input(op.name, output.shape, output.type));
    case "constant":
      return lowering.place(output, lowering.constant(op.tensor));
    case "matmul":
      return lowerMatmul(lowering, op, inputs, output);
    case "quantizedLinear":
      return lowerQuantizedLinear(lowering, op, inputs, output);
    case "attention":
      return lowerAttention(lowering, op, inputs, output);
    case "conv2d":
    case "conv3d":
      return lowerConv(lowering, op, unmade.get(inputs[0]) ?? { input: inputs[0], scale: 1 }, inputs, epilogue);
    case "rmsNorm":
    case "layerNorm":
      return lowerNorm(lowering, op, inputs, epilogue);
    case "softmax":
      return lowerSoftmax(lowering, inputs, output);
    case "rope":
      return lowerRope(lowering, op, inputs, output);
    case "reshape":
      return lowerReshape(lowering, inputs, output);
    case "transpose":
      return lowerTranspose(lowering, op, inputs, output);
    case "slice":
      return lowerSlice(lowering, op, inputs, output);
    case "concat":
      return lowerConcat(lowering, op, inputs, output);
    case "pad":
      return lowerPad(lowering, op, inputs, output);
    case "gather":
      return lowerGather(lowering, op, inputs, output);
    case "broadcast":
      return lowerBroadcast(lowering, inputs, output);
    case "upsample":
      return lowerUpsample(lowering, op, inputs, output);
    case "reduce":
      return lowerReduce(lowering, op, inputs, output);
    default:
      throw new Error(`Cannot lower graph: the WebGPU device has no operator ${op.kind}`);
  }
}
