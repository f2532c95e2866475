/**
 * Convolutions of bytes as products of matrices, for which ONNX Runtime has faster kernels.
 *
 * `ConvInteger` is four fifths of the time of Kokoro in 8 bits. Here its columns are concatenated bytes and the weights,
 * packed once, the other factor, so that processors with products of bytes (VNNI, AMX, dot products of ARM) use them:
 * a third of the time. All sums are integers: the sound is the same, bit for bit.
 *
 * @module
 */
import { loadOnnxRuntime } from "../../../compute/onnx/load_onnxruntime.ts";
import {
  type Attribute,
  type ElementType,
  elementTypes,
  modelMessage,
  nodeMessage,
  tensorMessage,
  valueInfoMessage,
} from "../../../compute/onnx/onnx_messages.ts";
import { protoText, ProtoWriter, readProto } from "../../../compute/onnx/proto.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { locateWeights } from "../../onnx_sessions/locate_weights.ts";
import { type OnnxFile, type OnnxNode, readOnnxFile } from "../../onnx_sessions/onnx_file.ts";
import { openSession } from "../../onnx_sessions/open_session.ts";

/** With fewer channels the columns cost more than the products. */
const MIN_CHANNELS = 64;

/** A graph whose large weights are in files of the folder. */
export interface FasterGraph {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly folder: string;
}

/**
 * The graph of a file with its convolutions of bytes as products; undefined where there are none.
 *
 * @param signed Whether weights are signed bytes; see {@linkcode exactSigned}.
 * @throws {Error} when the file is not a complete ONNX model.
 */
export async function withoutIntegerConvolutions(
  files: ModelFiles,
  name: string,
  signed: boolean,
): Promise<FasterGraph | undefined> {
  const read = await readOnnxFile(files, name);
  const weights = new Map(read.weights);
  const nodes: OnnxNode[] = [];
  let replaced = 0;
  for (const node of read.nodes) {
    const convolution = await readConvolution(node, read, files, name);
    if (convolution === undefined) {
      nodes.push(node);
      continue;
    }
    nodes.push(...asProduct(convolution, node.outputs[0], weights, signed));
    replaced++;
  }
  if (replaced === 0) return undefined;
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  for (const node of read.nodes) {
    if (node.type === "ConvInteger" && !used.has(node.inputs[1])) weights.delete(node.inputs[1]);
  }
  const { file, folder } = await locateWeights({ ...read, nodes, weights }, files, name);
  return { bytes: modelOf(file), folder };
}

/**
 * Whether products of unsigned and signed bytes are exact here: on x86-64 without VNNI they add pairs in 16 bits, which
 * saturates. Those of unsigned bytes are exact everywhere, and take twice as long with VNNI.
 */
export async function exactSigned(): Promise<boolean> {
  const size = 64;
  const product = nodeMessage("MatMulInteger", "", ["a", "b"], ["sum"], {});
  const bytes = modelMessage({
    nodes: [product],
    initializers: [tensorMessage("b", "int8", [size, size], new Uint8Array(size * size).fill(127))],
    inputs: [valueInfoMessage("a", "uint8", [size, size])],
    outputs: [valueInfoMessage("sum", "int32", [size, size])],
  });
  const { Tensor } = await loadOnnxRuntime();
  const { session } = await openSession({ bytes, folder: "" }, { device: "cpu", threads: 1 });
  const a = new Tensor("uint8", new Uint8Array(size * size).fill(255), [size, size]);
  const { sum } = await session.run({ a });
  await session.release();
  return (sum.data as Int32Array).every((value) => value === size * 255 * 127);
}

/** A convolution along one axis with a stride of 1. */
interface Convolution {
  /** Names of the activations and their zero point. */
  readonly input: string;
  readonly zeroPoint: string;
  /** `[outputs, channels, taps]`, unsigned, and the byte that means 0. */
  readonly kernel: Uint8Array;
  readonly kernelZero: number;
  readonly shape: readonly [outputs: number, channels: number, taps: number];
  readonly dilation: number;
  readonly pads: readonly [number, number];
}

async function readConvolution(
  node: OnnxNode,
  { weights }: OnnxFile,
  files: ModelFiles,
  name: string,
): Promise<Convolution | undefined> {
  const [input, kernelName, zeroPoint, kernelZeroName] = node.inputs;
  const [kernelMessage, zeroMessage] = [weights.get(kernelName ?? ""), weights.get(kernelZeroName ?? "")];
  if (node.type !== "ConvInteger" || !zeroPoint || kernelMessage === undefined || zeroMessage === undefined) {
    return undefined;
  }
  const { group = [1], strides = [1], dilations = [1], pads = [0, 0], auto_pad } = attributesOf(node);
  const [kernel, zero] = [readTensor(kernelMessage), readTensor(zeroMessage)];
  const isPlain = group[0] === 1 && strides.length === 1 && strides[0] === 1 && dilations.length === 1 &&
    pads.length === 2 && auto_pad === undefined && kernel.type === elementTypes.uint8 &&
    zero.type === elementTypes.uint8 && zero.bytes?.length === 1 && kernel.shape.length === 3;
  if (!isPlain || zero.bytes === undefined) return undefined;
  const [outputs, channels, taps] = kernel.shape;
  if (Math.min(outputs, channels) < MIN_CHANNELS) return undefined;
  const bytes = kernel.bytes ?? await readExternal(kernel, files, name);
  if (bytes?.length !== outputs * channels * taps) return undefined;
  return {
    ...{ input, zeroPoint, kernel: bytes, kernelZero: zero.bytes[0], shape: [outputs, channels, taps] },
    ...{ dilation: dilations[0], pads: [pads[0], pads[1]] },
  };
}

/** Its nodes; their constants are added to the weights. */
function asProduct(
  { input, zeroPoint, kernel, kernelZero, shape: [outputs, channels, taps], dilation, pads }: Convolution,
  result: string,
  weights: Map<string, Uint8Array>,
  signed: boolean,
): OnnxNode[] {
  const nodes: OnnxNode[] = [];
  const type: ElementType = signed ? "int8" : "uint8";
  const constant = (part: string, type: ElementType, shape: readonly number[], raw: Uint8Array): string => {
    const name = `${result}.${part}`;
    weights.set(name, tensorMessage(name, type, shape, raw).finish());
    return name;
  };
  const integers = (part: string, numbers: readonly number[]): string =>
    constant(part, "int64", [numbers.length], new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer));
  const node = (
    type: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string => {
    nodes.push({
      type,
      inputs,
      outputs: [output],
      bytes: nodeMessage(type, "", inputs, [output], attributes).finish(),
    });
    return output;
  };
  let columns = node("Transpose", [input], `${result}.rows`, { perm: [0, 2, 1] });
  if (pads[0] + pads[1] > 0) {
    const around = integers("pads", [0, pads[0], 0, 0, pads[1], 0]);
    columns = node("Pad", [columns, around, zeroPoint], `${result}.padded`);
  }
  if (taps > 1) {
    const axis = integers("axis", [1]);
    const parts = Array.from({ length: taps }, (_, tap) => {
      const last = (tap - taps + 1) * dilation;
      const [start, end] = [integers(`start${tap}`, [tap * dilation]), integers(`end${tap}`, [last || 2 ** 31])];
      return node("Slice", [columns, start, end, axis], `${result}.tap${tap}`);
    });
    columns = node("Concat", parts, `${result}.columns`, { axis: 2 });
  }
  const moved = new Uint8Array(kernel.length);
  const offset = signed ? 128 : 0; // modulo 256 the signed byte
  for (let output = 0, at = 0; output < outputs; output++) {
    for (let channel = 0; channel < channels; channel++) {
      for (let tap = 0; tap < taps; tap++) moved[(tap * channels + channel) * outputs + output] = kernel[at++] - offset;
    }
  }
  const factor = constant("factor", type, [taps * channels, outputs], moved);
  const zero = constant("zero", type, [], Uint8Array.of(kernelZero - offset));
  const product = node("MatMulInteger", [columns, factor, zeroPoint, zero], `${result}.product`);
  node("Transpose", [product], result, { perm: [0, 2, 1] });
  return nodes;
}

/** Integers of the attributes by name; those of another kind are left out, except that they are there. */
function attributesOf({ bytes }: OnnxNode): Readonly<Record<string, readonly number[]>> {
  const attributes: Record<string, number[]> = {};
  for (const { field, bytes: message } of readProto(bytes)) {
    if (field !== 5) continue;
    const parts = [...readProto(message)];
    const name = parts.find(({ field }) => field === 1);
    const text = parts.find(({ field }) => field === 4);
    if (name === undefined || (text !== undefined && protoText(text) === "NOTSET")) continue;
    attributes[protoText(name)] = parts.filter(({ field }) => field === 3 || field === 8).map(({ number }) => number);
  }
  return attributes;
}

/** A `TensorProto`: bytes inside it, or their place in a file. */
interface StoredTensor {
  readonly type: number;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array | undefined;
  readonly place: Readonly<Record<string, string>>;
}

function readTensor(message: Uint8Array): StoredTensor {
  const shape: number[] = [];
  const place: Record<string, string> = {};
  let type = 0;
  let bytes: Uint8Array | undefined;
  for (const field of readProto(message)) {
    if (field.field === 1) shape.push(field.number);
    else if (field.field === 2) type = field.number;
    else if (field.field === 5) bytes = field.bytes.length > 0 ? field.bytes : Uint8Array.of(field.number);
    else if (field.field === 9) bytes = field.bytes;
    else if (field.field === 13) {
      const [key, value] = [...readProto(field.bytes)].map(protoText);
      place[key] = value;
    }
  }
  return { type, shape, bytes, place };
}

async function readExternal(
  { place: { location, offset = "0", length } }: StoredTensor,
  files: ModelFiles,
  name: string,
): Promise<Uint8Array | undefined> {
  if (location === undefined || length === undefined) return undefined;
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  return await files.readPart(folder + location, Number(offset), Number(length));
}

function modelOf({ head, nodes, weights, inputs, outputs, rest }: OnnxFile): Uint8Array<ArrayBuffer> {
  const graph = new ProtoWriter();
  for (const part of rest) graph.fields(part);
  for (const { bytes } of nodes) graph.bytes(1, bytes);
  for (const weight of weights.values()) graph.bytes(5, weight);
  for (const { bytes } of inputs) graph.bytes(11, bytes);
  for (const { bytes } of outputs) graph.bytes(12, bytes);
  const model = new ProtoWriter();
  for (const part of head) model.fields(part);
  return model.message(7, graph).finish().slice();
}
