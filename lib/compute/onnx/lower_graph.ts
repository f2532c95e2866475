/**
 * Turns a graph into an ONNX model.
 *
 * @module
 */
import type { Graph, GraphNode, Value, ValueType } from "../tensor/graph.ts";
import { toFloat32 } from "../tensor/half.ts";
import type { OpKind } from "../tensor/op.ts";
import { ShapeError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { lowerAttention, lowerRope } from "./lower_attention.ts";
import { lowerConv2d, lowerConv3d } from "./lower_conv.ts";
import { lowerBinary, lowerCast, lowerClamp, lowerUnary } from "./lower_elementwise.ts";
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
import { lowerQuantizedLinear } from "./lower_quantized_linear.ts";
import { lowerLayerNorm, lowerReduce, lowerRmsNorm, lowerSoftmax } from "./lower_norm.ts";
import type { Lowering } from "./lowering.ts";
import { ModelBuilder, type OnnxModel, type Operand } from "./model_builder.ts";
import type { ElementType } from "./onnx_messages.ts";

type Computed = Exclude<OpKind, "input" | "constant">;

const lowerings: { readonly [K in Computed]: Lowering<K> } = {
  unary: lowerUnary,
  binary: lowerBinary,
  clamp: lowerClamp,
  cast: lowerCast,
  matmul: lowerMatmul,
  quantizedLinear: lowerQuantizedLinear,
  attention: lowerAttention,
  conv2d: lowerConv2d,
  conv3d: lowerConv3d,
  rmsNorm: lowerRmsNorm,
  layerNorm: lowerLayerNorm,
  softmax: lowerSoftmax,
  rope: lowerRope,
  reshape: lowerReshape,
  transpose: lowerTranspose,
  slice: lowerSlice,
  concat: lowerConcat,
  pad: lowerPad,
  gather: lowerGather,
  broadcast: lowerBroadcast,
  upsample: lowerUpsample,
  reduce: lowerReduce,
};

/** A lowered graph, and which of the graph's inputs it reads. */
export interface LoweredGraph extends OnnxModel {
  readonly usedInputs: ReadonlySet<string>;
}

/** ONNX name of a program's input; distinct from outputs, which may have the same name in a graph. */
export function inputName(name: string): string {
  return `in:${name}`;
}

/** ONNX name of a program's output. */
export function outputName(name: string): string {
  return `out:${name}`;
}

/**
 * Lowers everything that the outputs depend on.
 *
 * @throws {ShapeError} when the graph has no outputs.
 */
export function lowerGraph(graph: Graph): LoweredGraph {
  if (graph.outputs.size === 0) throw new ShapeError("Cannot compile a graph: it has no outputs, name one with output");
  const builder = new ModelBuilder();
  const usedInputs = new Set<string>();
  const operands = new Map<Value, Operand>();
  for (const node of liveNodes(graph)) {
    const { shape } = node.output;
    operands.set(node.output, { name: lowerNode(builder, node, operands, usedInputs), shape });
  }
  for (const [name, value] of graph.outputs) {
    builder.output(outputName(name), elementType(value.type), value.shape, operands.get(value)!.name);
  }
  return { ...builder.finish(), usedInputs };
}

function lowerNode(
  builder: ModelBuilder,
  { op, inputs, output }: GraphNode,
  operands: ReadonlyMap<Value, Operand>,
  usedInputs: Set<string>,
): string {
  if (op.kind === "input") {
    usedInputs.add(op.name);
    builder.input(inputName(op.name), elementType(output.type), output.shape);
    return inputName(op.name);
  }
  if (op.kind === "constant") return lowerConstant(builder, op.tensor);
  // The table maps each kind to its own lowering, which the type of an index cannot express.
  const lower = lowerings[op.kind] as Lowering<Computed>;
  return lower(builder, op, inputs.map((value) => operands.get(value)!), output.shape);
}

function lowerConstant(builder: ModelBuilder, t: Tensor): string {
  if (t.dtype === "i32") return builder.constant("int32", t.shape, t.data as Int32Array);
  return builder.constant("float", t.shape, toFloat32(t));
}

function elementType(type: ValueType): ElementType {
  return type === "float" ? "float" : "int32";
}

function liveNodes(graph: Graph): GraphNode[] {
  const live = new Set<Value>(graph.outputs.values());
  for (const node of graph.nodes.toReversed()) {
    if (live.has(node.output)) { for (const value of node.inputs) live.add(value); }
  }
  return graph.nodes.filter((node) => live.has(node.output));
}
