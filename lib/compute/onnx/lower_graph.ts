/**
 * Turns a graph, or a part of one, into an ONNX model.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import type { GraphNode, Value, ValueType } from "../tensor/graph.ts";
import { toFloat32, toHalf } from "../tensor/half.ts";
import type { OpKind } from "../tensor/op.ts";
import { sizeOf } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import {
  lowerAttention,
  lowerLayerNorm,
  lowerReduce,
  lowerRmsNorm,
  lowerRope,
  lowerSoftmax,
} from "./lower_attention.ts";
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
import { lowerMatmul, lowerQuantizedLinear } from "./lower_matmul.ts";
import { type Lowering, ModelBuilder, type OnnxModel, type Operand } from "./model_builder.ts";
import type { ElementType } from "./onnx_messages.ts";
import { type GraphPart, HALVES_FROM, isKeptHalf } from "./split_graph.ts";

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

/** A lowered part of a graph. */
export interface LoweredGraph extends OnnxModel {
  /** Which of the graph's inputs it reads. */
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

/** ONNX name, as an output and as an input, of a value that a part of a graph hands to a later one. */
export function handedName({ id }: Value): string {
  return `handed:${id}`;
}

/**
 * Lowers a part of a graph.
 *
 * @param halves Keeps large constants of 16 bits as they are and widens them where they are used.
 * @param products What matrix products, convolutions and attention compute in; their weights have as many bits.
 */
export function lowerGraph(
  { nodes, takes, gives, outputs }: GraphPart,
  halves = false,
  products: Precision = "f32",
): LoweredGraph {
  const builder = new ModelBuilder("apart", products);
  const usedInputs = new Set<string>();
  const operands = new Map<Value, Operand>();
  for (const value of takes) {
    builder.input(handedName(value), elementType(value.type), value.shape);
    operands.set(value, { name: handedName(value), shape: value.shape });
  }
  for (const node of nodes) {
    const { op, inputs: [first], output: { shape } } = node;
    const lower = () => lowerNode(builder, node, operands, usedInputs);
    if (op.kind === "concat" && op.axis === 0) {
      const joined = node.inputs.map((value) => operands.get(value)!);
      operands.set(node.output, laterOperand({ shape, joined }, lower));
      continue;
    }
    if (op.kind === "upsample" && op.scale === 2 && shape.length === 4) {
      operands.set(node.output, laterOperand({ shape, doubled: operands.get(first)! }, lower));
      continue;
    }
    const name = op.kind === "constant" && products === "f16"
      ? lowerFactor(builder, op.tensor)
      : op.kind === "constant" && halves
      ? lowerHalves(builder, op.tensor)
      : lower();
    operands.set(node.output, { name, shape });
  }
  const give = (name: string, value: Value): void =>
    builder.output(name, elementType(value.type), value.shape, operands.get(value)!.name);
  for (const value of gives) give(handedName(value), value);
  for (const [name, value] of outputs) give(outputName(name), value);
  return { ...builder.finish(), usedInputs };
}

/** What is made only when something asks for its name: a convolution may do with what it is made of. */
function laterOperand(known: Omit<Operand, "name">, make: () => string): Operand {
  let name: string | undefined;
  return {
    ...known,
    get name() {
      return name ??= make();
    },
  };
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

const halfTypes = { f16: "float16", bf16: "bfloat16" } as const;

function lowerHalves(builder: ModelBuilder, t: Tensor): string {
  if (!isKeptHalf(t)) return lowerConstant(builder, t);
  return builder.widened(builder.constant(halfTypes[t.dtype as keyof typeof halfTypes], t.shape, t.data));
}

/** A constant that products may have: matrices and kernels have 16 bits, vectors and tables keep their own. */
function lowerFactor(builder: ModelBuilder, t: Tensor): string {
  if (t.dtype === "i32" || sizeOf(t.shape) < HALVES_FROM) return lowerConstant(builder, t);
  return builder.widened(builder.constant("float16", t.shape, toHalf(t).data));
}

function elementType(type: ValueType): ElementType {
  return type === "float" ? "float" : "int32";
}
