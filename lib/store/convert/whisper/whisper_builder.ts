/**
 * The layers that the networks of Whisper are made of, with weights as CTranslate2 stores them.
 *
 * @module
 */
import { ModelBuilder } from "../../../compute/onnx/model_builder.ts";
import { elementTypes } from "../../../compute/onnx/onnx_messages.ts";
import type { Matrix, WhisperVariables } from "./whisper_variables.ts";

/** Numbers that share a scale, where integers are multiplied: the most that divide the columns. */
const BLOCKS = [128, 64, 32, 16];

/** What stands for 0 among integers without a sign. */
const ZERO = 128;

/** A matrix among the constants of a graph. */
interface StoredMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly type: Matrix["type"];
  readonly values: string;
  /** Those of integers, by row and block. */
  readonly scales: string;
  /** Integers that share a scale; undefined for floats. */
  readonly block: number | undefined;
}

/** Parts of a network, by the names of their variables. */
export class WhisperBuilder extends ModelBuilder {
  readonly #variables: WhisperVariables;
  readonly #width: number;
  readonly #heads: number;
  readonly #matrices = new Map<string, StoredMatrix>();

  constructor(variables: WhisperVariables, heads: number, file: string) {
    super({ file });
    this.#variables = variables;
    this.#width = variables.sizes.width;
    this.#heads = heads;
  }

  vector(name: string): string {
    const values = this.#variables.floats(name);
    return this.constant("float", [values.length], values);
  }

  /** Rows of floats. */
  table(name: string): string {
    const values = this.#variables.floats(name);
    return this.constant("float", [values.length / this.#width, this.#width], values);
  }

  /** Rows of a matrix by their numbers. */
  embed(name: string, ids: string): string {
    const { type, block, columns, values, scales } = this.#stored(name);
    const rows = this.node("Gather", [values, ids]);
    if (block === undefined) return type === "f16" ? this.widened(rows) : rows;
    const signed = this.node("Sub", [this.node("Cast", [rows], { to: elementTypes.float }), this.scalar(ZERO)]);
    // A row has one scale, however many blocks share it.
    const scaled = this.node("Mul", [
      signed,
      this.node("Unsqueeze", [this.node("Gather", [scales, ids]), this.integers([-1])]),
    ]);
    return this.node("Reshape", [scaled, this.integers([0, 0, columns])]);
  }

  convolve(x: string, name: string, stride: number): string {
    const weight = this.#variables.floats(`${name}/weight`);
    const channels = weight.length / this.#width / 3;
    const kernel = this.constant("float", [this.#width, channels, 3], weight);
    const sizes = { kernel_shape: [3], pads: [1, 1], strides: [stride] };
    return this.node("Gelu", [this.node("Conv", [x, kernel, this.vector(`${name}/bias`)], sizes)]);
  }

  /** x · matrixᵀ + bias */
  dense(x: string, name: string): string {
    return this.biased(this.multiply(x, `${name}/weight`), `${name}/bias`);
  }

  /** x + bias, where there is one. */
  biased(x: string, name: string): string {
    return this.#variables.has(name) ? this.node("Add", [x, this.vector(name)]) : x;
  }

  /**
   * x · matrixᵀ. Floats are widened and turned when the graph is loaded; integers stay what they are, and are multiplied
   * with inputs that are rounded to 8 bits in blocks, as CTranslate2 does in rows.
   */
  multiply(x: string, name: string): string {
    const { type, block, rows, columns, values, scales } = this.#stored(name);
    if (block !== undefined) {
      const sizes = { K: columns, N: rows, bits: 8, block_size: block, accuracy_level: 4 };
      return this.node("com.microsoft:MatMulNBits", [x, values, scales], sizes);
    }
    const floats = type === "f16" ? this.widened(values) : values;
    return this.node("MatMul", [x, this.node("Transpose", [floats], { perm: [1, 0] })]);
  }

  /** A matrix as constants, once for all names that it has. */
  #stored(name: string): StoredMatrix {
    const key = this.#variables.nameOf(name);
    const known = this.#matrices.get(key);
    if (known !== undefined) return known;
    const stored = this.#store(this.#variables.matrix(name), name);
    this.#matrices.set(key, stored);
    return stored;
  }

  #store(matrix: Matrix, name: string): StoredMatrix {
    const { rows, columns } = matrix;
    const block = BLOCKS.find((size) => columns % size === 0);
    if (matrix.type !== "i8" || block === undefined) {
      const data = matrix.type === "i8" ? this.#variables.floats(name) : matrix.data;
      const type = matrix.type === "f16" ? "f16" : "f32";
      const values = this.constant(type === "f16" ? "float16" : "float", [rows, columns], data);
      return { rows, columns, type, values, scales: "", block: undefined };
    }
    const blocks = columns / block;
    const scales = Float32Array.from({ length: rows * blocks }, (_, i) => 1 / matrix.divisors[Math.floor(i / blocks)]);
    return {
      ...{ rows, columns, type: "i8", block },
      values: this.constant("uint8", [rows, blocks, block], unsigned(matrix.data)),
      scales: this.constant("float", [rows, blocks], scales),
    };
  }

  normalize(x: string, name: string): string {
    const weights = [this.vector(`${name}/gamma`), this.vector(`${name}/beta`)];
    return this.node("LayerNormalization", [x, ...weights], { axis: -1, epsilon: { float: 1e-5 } });
  }

  /** Parts of the last axis, each of the width. */
  split(x: string, count: number): string[] {
    const sizes = this.integers(new Array(count).fill(this.#width));
    return this.nodes("Split", [x, sizes], new Array(count).fill(undefined), { axis: -1 });
  }

  /** [batch, places, width] to [batch, heads, places, width / heads] */
  perHead(x: string): string {
    const split = this.node("Reshape", [x, this.integers([0, 0, this.#heads, this.#width / this.#heads])]);
    return this.node("Transpose", [split], { perm: [0, 2, 1, 3] });
  }

  /** Keys or values of nothing. */
  emptyHeads(): string {
    const none = this.constant("float", [1, this.#heads, 0, this.#width / this.#heads], new Float32Array());
    return this.node("Identity", [none]);
  }

  /** What the heads read, side by side, and what they attend to. */
  attend(query: string, keys: string, values: string, mask?: string): { mixed: string; weights: string } {
    const scaled = this.node("Mul", [query, this.scalar((this.#width / this.#heads) ** -0.5)]);
    const scores = this.node("MatMul", [scaled, this.node("Transpose", [keys], { perm: [0, 1, 3, 2] })]);
    const masked = mask === undefined ? scores : this.node("Add", [scores, mask]);
    const weights = this.node("Softmax", [masked], { axis: -1 });
    const mixed = this.node("Transpose", [this.node("MatMul", [weights, values])], { perm: [0, 2, 1, 3] });
    return { mixed: this.node("Reshape", [mixed, this.integers([0, 0, this.#width])]), weights };
  }

  feedForward(x: string, layer: string): string {
    const name = `${layer}/ffn`;
    const wide = this.node("Gelu", [this.dense(this.normalize(x, `${name}/layer_norm`), `${name}/linear_0`)]);
    return this.node("Add", [x, this.dense(wide, `${name}/linear_1`)]);
  }
}

/** Integers without a sign: those of -128 to 127 as 0 to 255. */
function unsigned(values: Int8Array): Uint8Array {
  const moved = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) moved[i] = values[i] + ZERO;
  return moved;
}
