/**
 * The messages of `onnx.proto` (ONNX IR specification) that a lowered graph consists of.
 *
 * @module
 */
import { ProtoWriter } from "./proto.ts";

/** `TensorProto.DataType` */
export const elementTypes = {
  float: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  bfloat16: 16,
} as const;

/** Element types of values and weights. */
export type ElementType = keyof typeof elementTypes;

/** Sizes of a value; names stand for dynamic ones. */
export type Dimensions = readonly (number | string)[];

/**
 * Integers become INT or INTS; floats are marked as such, since JavaScript cannot distinguish 1 from 1.0. A message is
 * a graph.
 */
export type Attribute = number | readonly number[] | string | { readonly float: number } | ProtoWriter;

/** `NodeProto`, named after its first output. */
export function nodeMessage(
  type: string,
  domain: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>>,
): ProtoWriter {
  const node = new ProtoWriter();
  for (const name of inputs) node.string(1, name);
  for (const name of outputs) node.string(2, name);
  node.string(3, outputs[0]).string(4, type);
  for (const [name, value] of Object.entries(attributes)) node.message(5, attributeMessage(name, value));
  return domain ? node.string(7, domain) : node;
}

function attributeMessage(name: string, value: Attribute): ProtoWriter {
  const attribute = new ProtoWriter().string(1, name);
  if (typeof value === "number") return attribute.int(3, value).int(20, 2);
  if (typeof value === "string") return attribute.string(4, value).int(20, 3);
  if (value instanceof ProtoWriter) return attribute.message(6, value).int(20, 5);
  if ("float" in value) return attribute.float(2, value.float).int(20, 1);
  for (const item of value) attribute.int(8, item);
  return attribute.int(20, 7);
}

/** A `TensorProto` with inline elements. */
export function tensorMessage(name: string, type: ElementType, shape: readonly number[], raw: Uint8Array): ProtoWriter {
  return tensorHeader(name, type, shape).bytes(9, raw);
}

/** A `TensorProto` with elements in an external file. */
export function externalTensorMessage(
  name: string,
  type: ElementType,
  shape: readonly number[],
  file: string,
  offset: number,
  byteLength: number,
): ProtoWriter {
  const entry = (key: string, value: string) => new ProtoWriter().string(1, key).string(2, value);
  return tensorHeader(name, type, shape)
    .message(13, entry("location", file))
    .message(13, entry("offset", String(offset)))
    .message(13, entry("length", String(byteLength)))
    .int(14, 1);
}

function tensorHeader(name: string, type: ElementType, shape: readonly number[]): ProtoWriter {
  const tensor = new ProtoWriter();
  for (const size of shape) tensor.int(1, size);
  return tensor.int(2, elementTypes[type]).string(8, name);
}

/** The `ValueInfoProto` of an input or output; without a shape it accepts any. */
export function valueInfoMessage(name: string, type: ElementType, shape?: Dimensions): ProtoWriter {
  const tensorType = new ProtoWriter().int(1, elementTypes[type]);
  if (shape !== undefined) {
    const dimensions = new ProtoWriter();
    for (const size of shape) {
      const dimension = new ProtoWriter();
      dimensions.message(1, typeof size === "number" ? dimension.int(1, size) : dimension.string(2, size));
    }
    tensorType.message(2, dimensions);
  }
  return new ProtoWriter().string(1, name).message(2, new ProtoWriter().message(1, tensorType));
}

/** The parts of a `GraphProto`. */
export interface GraphParts {
  readonly nodes: readonly ProtoWriter[];
  readonly initializers: readonly ProtoWriter[];
  readonly inputs: readonly ProtoWriter[];
  readonly outputs: readonly ProtoWriter[];
}

/** `ModelProto` with the operator sets that the lowerings are written for. */
export function modelMessage(graph: GraphParts): Uint8Array {
  const body = new ProtoWriter();
  for (const node of graph.nodes) body.message(1, node);
  body.string(2, "svc");
  for (const initializer of graph.initializers) body.message(5, initializer);
  for (const input of graph.inputs) body.message(11, input);
  for (const output of graph.outputs) body.message(12, output);
  const operatorSet = (domain: string, version: number) => new ProtoWriter().string(1, domain).int(2, version);
  return new ProtoWriter().int(1, 10).string(2, "svc").message(7, body)
    .message(8, operatorSet("", 23))
    .message(8, operatorSet("com.microsoft", 1))
    .finish();
}
