/**
 * Collects the nodes and weights of an ONNX model, to which each operator of a graph is lowered.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import type { OpKind, OpOf } from "../tensor/op.ts";
import { sameShape, type Shape } from "../tensor/shape.ts";
import {
  type Attribute,
  type Dimensions,
  type ElementType,
  elementTypes,
  externalTensorMessage,
  modelMessage,
  nodeMessage,
  tensorMessage,
  valueInfoMessage,
} from "./onnx_messages.ts";
import { ProtoWriter } from "./proto.ts";

/** A value of the model. */
export interface Operand {
  readonly name: string;
  readonly shape: Shape;
  /** What it consists of along the first axis; the name of what they are together makes them one. */
  readonly joined?: readonly Operand[] | undefined;
  /** The images [N,C,H,W] of which it is each pixel twice as wide and high; its name makes these pixels. */
  readonly doubled?: Operand | undefined;
}

/**
 * Weights outside the model: ONNX Runtime reads them from memory, where the protobuf limit of 2 GiB does not apply.
 */
interface ExternalWeight {
  readonly path: string;
  /** Offset of the weight in its file. */
  readonly offset: number;
  readonly data: Uint8Array;
}

/**
 * Where large weights are stored: each in a file of its own, which need not exist since it is passed in memory; all
 * inside the model; or concatenated in one file beside it.
 */
export type WeightPlace = "apart" | "inside" | { readonly file: string };

/** An ONNX model in memory. */
export interface OnnxModel {
  readonly bytes: Uint8Array;
  readonly weights: readonly ExternalWeight[];
  /** Bytes of all constants, inside and outside the model. */
  readonly weightBytes: number;
}

interface BuiltNode {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly message: ProtoWriter;
}

/** Below this size a constant is cheaper inside the model; shapes and axes must be inside too. */
const externalFrom = 1024;

/** Alignment of weights in a common file, as vector instructions prefer. */
const alignment = 64;

/** Names every value it creates; operators of ONNX Runtime's own domain are written `com.microsoft:Name`. */
export class ModelBuilder {
  #nodes: BuiltNode[] = [];
  readonly #initializers: ProtoWriter[] = [];
  readonly #inputs: ProtoWriter[] = [];
  readonly #outputs: ProtoWriter[] = [];
  readonly #results: string[] = [];
  readonly #weights: ExternalWeight[] = [];
  readonly #shared = new Map<string, string>();
  readonly #origins = new Map<string, Operand>();
  readonly #halves = new Map<string, string>();
  readonly #place: WeightPlace;
  /** What matrix products, convolutions and attention compute in; everything else has 32 bits. */
  readonly products: Precision;
  #weightBytes = 0;
  #fileBytes = 0;
  #names = 0;

  constructor(place: WeightPlace = "apart", products: Precision = "f32") {
    this.#place = place;
    this.products = products;
  }

  /** Appends an operator and returns the name of its result. */
  node(type: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.nodes(type, inputs, [undefined], attributes)[0];
  }

  /** Appends an operator with several results and returns their names: the given ones, new ones for undefined. */
  nodes(
    type: string,
    inputs: readonly string[],
    results: readonly (string | undefined)[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const names = results.map((name) => name ?? `t${this.#names++}`);
    this.#append(type, inputs, names, attributes);
    return names;
  }

  /**
   * The graph of an attribute, such as a branch of `If`: what `build` appends, with the floats that it returns as
   * results. It may read every value that there is; its own are only its results'.
   */
  branch(name: string, build: () => readonly string[]): ProtoWriter {
    const outer = this.#nodes;
    this.#nodes = [];
    const graph = new ProtoWriter();
    const results = build();
    for (const { inputs, message } of this.#nodes) {
      graph.message(1, message);
      this.#results.push(...inputs);
    }
    this.#nodes = outer;
    graph.string(2, name);
    for (const result of results) graph.message(12, valueInfoMessage(result, "float"));
    return graph;
  }

  /** The same elements with another shape; chains of reshapes are collapsed. */
  reshape(x: Operand, shape: Shape): string {
    const origin = this.#origins.get(x.name) ?? x;
    if (sameShape(origin.shape, shape)) return origin.name;
    const name = this.node("Reshape", [origin.name, this.integers(shape)]);
    this.#origins.set(name, origin);
    return name;
  }

  /** Floats of 16 bits as ones of 32. */
  widened(half: string): string {
    const name = this.node("Cast", [half], { to: elementTypes.float });
    this.#halves.set(name, half);
    return name;
  }

  /** A value of 32 bits in what products compute in. */
  factor(name: string): string {
    if (this.products === "f32" || name === "") return name;
    const known = this.#halves.get(name);
    if (known !== undefined) return known;
    const half = this.node("Cast", [name], { to: elementTypes.float16 });
    this.#halves.set(name, half);
    return half;
  }

  /** What a product has given, in 32 bits. */
  product(name: string): string {
    return this.products === "f32" ? name : this.node("Cast", [name], { to: elementTypes.float });
  }

  /** Declares an input under this name. */
  input(name: string, type: ElementType, shape: Dimensions): void {
    this.#inputs.push(valueInfoMessage(name, type, shape));
  }

  /** Declares an output with this name, which may be the value's own. */
  output(name: string, type: ElementType, shape: Dimensions, value: string): void {
    if (value !== name) this.#append("Identity", [value], [name], {});
    this.#outputs.push(valueInfoMessage(name, type, shape));
    this.#results.push(name);
  }

  /** A constant; large ones stay outside the model. */
  constant(type: ElementType, shape: Shape, data: ArrayBufferView): string {
    const name = `c${this.#names++}`;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#weightBytes += bytes.length;
    if (bytes.length < externalFrom || this.#place === "inside") {
      this.#initializers.push(tensorMessage(name, type, shape, bytes));
    } else {
      const [path, offset] = this.#place === "apart" ? [name, 0] : [this.#place.file, this.#fileBytes];
      this.#fileBytes = Math.ceil((offset + bytes.length) / alignment) * alignment;
      this.#weights.push({ path, offset, data: bytes });
      this.#initializers.push(externalTensorMessage(name, type, shape, path, offset, bytes.length));
    }
    return name;
  }

  /** A list of 64-bit integers, as shapes and axes are given to operators. */
  integers(values: readonly number[]): string {
    return this.#once(
      `i${values}`,
      () => this.constant("int64", [values.length], BigInt64Array.from(values, (v) => BigInt(v))),
    );
  }

  /** A scalar float. */
  scalar(value: number): string {
    return this.#once(`f${value}`, () => this.constant("float", [], Float32Array.of(value)));
  }

  /** A vector of n equal floats. */
  filled(n: number, value: number): string {
    return this.#once(`v${n},${value}`, () => this.constant("float", [n], new Float32Array(n).fill(value)));
  }

  /** The finished model. */
  finish(): OnnxModel {
    const bytes = modelMessage({
      nodes: this.#usedNodes(),
      initializers: this.#initializers,
      inputs: this.#inputs,
      outputs: this.#outputs,
    });
    return { bytes, weights: this.#weights, weightBytes: this.#weightBytes };
  }

  #append(
    type: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
  ): void {
    const colon = type.indexOf(":");
    const domain = colon < 0 ? "" : type.slice(0, colon);
    this.#nodes.push({
      inputs,
      outputs,
      message: nodeMessage(type.slice(colon + 1), domain, inputs, outputs, attributes),
    });
  }

  /** Removes reshapes that became unused, which ONNX Runtime would still run. */
  #usedNodes(): ProtoWriter[] {
    const used = new Set(this.#results);
    const kept = this.#nodes.toReversed().filter((node) => {
      if (!node.outputs.some((name) => used.has(name))) return false;
      for (const name of node.inputs) used.add(name);
      return true;
    });
    return kept.reverse().map((node) => node.message);
  }

  #once(key: string, make: () => string): string {
    const known = this.#shared.get(key);
    if (known) return known;
    const name = make();
    this.#shared.set(key, name);
    return name;
  }
}

/** Appends what computes the operator and returns the name of its result. */
export type Lowering<K extends OpKind> = (
  builder: ModelBuilder,
  op: OpOf<K>,
  inputs: readonly Operand[],
  output: Shape,
) => string;
