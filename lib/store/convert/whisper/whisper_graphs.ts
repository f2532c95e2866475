/**
 * The networks of Whisper ("Robust Speech Recognition via Large-Scale Weak Supervision", Radford et al. 2022) as ONNX
 * models, with the inputs and outputs that published exports have.
 *
 * @module
 */
import { ModelBuilder, type OnnxModel } from "../../../compute/onnx/model_builder.ts";
import { elementTypes } from "../../../compute/onnx/onnx_messages.ts";
import type { Matrix, WhisperVariables } from "./whisper_variables.ts";

/** Score of a place that is not attended to. */
const MASKED = -1e9;

/** Numbers that share a scale, where integers are multiplied: the most that divide the columns. */
const BLOCKS = [128, 64, 32, 16];

/** What stands for 0 among integers without a sign. */
const ZERO = 128;

/**
 * `input_features` [batch, mels, frames] to `last_hidden_state` [batch, frames / 2, width].
 *
 * @param variables With the encoder loaded.
 * @param file Name of the file of weights beside the graph.
 */
export function whisperEncoder(variables: WhisperVariables, file: string): OnnxModel {
  const { width, mels, soundPositions, encoder: { heads, layers } } = variables.sizes;
  const builder = new WhisperBuilder(variables, heads, file);
  builder.input("input_features", "float", ["batch_size", mels, 2 * soundPositions]);
  const convolved = builder.convolve(builder.convolve("input_features", "encoder/conv1", 1), "encoder/conv2", 2);
  const sound = builder.node("Transpose", [convolved], { perm: [0, 2, 1] });
  let x = builder.node("Add", [sound, builder.table("encoder/position_encodings/encodings")]);
  for (let i = 0; i < layers; i++) {
    const layer = `encoder/layer_${i}`;
    const name = `${layer}/self_attention`;
    const projected = builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`);
    const [query, keys, values] = builder.split(projected, 3);
    const mixed = builder.node("com.microsoft:MultiHeadAttention", [query, keys, values], { num_heads: heads });
    x = builder.node("Add", [x, builder.dense(mixed, `${name}/linear_1`)]);
    x = builder.feedForward(x, layer);
  }
  const last = builder.normalize(x, "encoder/layer_norm");
  builder.output("last_hidden_state", "float", ["batch_size", soundPositions, width], last);
  return builder.finish();
}

/**
 * Tokens to logits, keys and values, and what each layer attends to: one graph for all steps. With `use_cache_branch`
 * the keys and values of the sound are those of the cache.
 *
 * @param variables With the decoder loaded.
 * @param file Name of the file of weights beside the graph.
 */
export function whisperDecoder(variables: WhisperVariables, file: string): OnnxModel {
  const { width, vocabulary, decoder: { heads, layers } } = variables.sizes;
  const builder = new WhisperBuilder(variables, heads, file);
  const kept = (length: string) => ["batch_size", heads, length, width / heads];
  builder.input("input_ids", "int64", ["batch_size", "decoder_sequence_length"]);
  builder.input("encoder_hidden_states", "float", ["batch_size", "encoder_sequence_length", width]);
  for (let i = 0; i < layers; i++) {
    for (const side of ["decoder", "encoder"]) {
      for (const part of ["key", "value"]) {
        builder.input(`past_key_values.${i}.${side}.${part}`, "float", kept(`past_${side}_sequence_length`));
      }
    }
  }
  builder.input("use_cache_branch", "bool", [1]);
  const { places, mask } = positions(builder);
  let x = builder.node("Add", [
    builder.embed("decoder/embeddings/weight", "input_ids"),
    builder.node("Gather", [builder.table("decoder/position_encodings/encodings"), places]),
  ]);
  const results: (readonly [name: string, dims: readonly (string | number)[], value: string])[] = [];
  for (let i = 0; i < layers; i++) {
    const layer = `decoder/layer_${i}`;
    const own = selfAttention(builder, x, layer, `past_key_values.${i}.decoder`, mask);
    x = builder.node("Add", [x, own.y]);
    const heard = crossAttention(builder, x, layer, `past_key_values.${i}.encoder`);
    x = builder.feedForward(builder.node("Add", [x, heard.y]), layer);
    results.push(
      [`present.${i}.decoder.key`, kept("decoder_length"), own.keys],
      [`present.${i}.decoder.value`, kept("decoder_length"), own.values],
      [`present.${i}.encoder.key`, kept("encoder_length"), heard.keys],
      [`present.${i}.encoder.value`, kept("encoder_length"), heard.values],
      [
        `cross_attentions.${i}`,
        ["batch_size", heads, "decoder_sequence_length", "encoder_sequence_length"],
        heard.weights,
      ],
    );
  }
  const logits = builder.multiply(builder.normalize(x, "decoder/layer_norm"), "decoder/projection/weight");
  builder.output(
    "logits",
    "float",
    ["batch_size", "decoder_sequence_length", vocabulary],
    builder.biased(logits, "decoder/projection/bias"),
  );
  for (const [name, dims, value] of results) builder.output(name, "float", dims, value);
  return builder.finish();
}

/** Places of the new tokens, and scores that keep each from attending to later ones. */
function positions(builder: WhisperBuilder): { readonly places: string; readonly mask: string } {
  const integer = (value: number) => builder.constant("int64", [], BigInt64Array.of(BigInt(value)));
  const size = (value: string, axis: number) => builder.node("Gather", [builder.node("Shape", [value]), integer(axis)]);
  const past = size("past_key_values.0.decoder.key", 2);
  const total = builder.node("Add", [past, size("input_ids", 1)]);
  const places = builder.node("Range", [past, total, integer(1)]);
  const seen = builder.node("LessOrEqual", [
    builder.node("Range", [integer(0), total, integer(1)]),
    builder.node("Unsqueeze", [places, builder.integers([1])]),
  ]);
  return { places, mask: builder.node("Where", [seen, builder.scalar(0), builder.scalar(MASKED)]) };
}

/** Attention to earlier tokens, with their keys and values. */
function selfAttention(builder: WhisperBuilder, x: string, layer: string, past: string, mask: string) {
  const name = `${layer}/self_attention`;
  const projected = builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`);
  const [query, key, value] = builder.split(projected, 3).map((part) => builder.perHead(part));
  const keys = builder.node("Concat", [`${past}.key`, key], { axis: 2 });
  const values = builder.node("Concat", [`${past}.value`, value], { axis: 2 });
  const { mixed } = builder.attend(query, keys, values, mask);
  return { y: builder.dense(mixed, `${name}/linear_1`), keys, values };
}

/** Attention to the sound. With a cache its keys and values are not computed, and none are given. */
function crossAttention(builder: WhisperBuilder, x: string, layer: string, past: string) {
  const name = `${layer}/attention`;
  const query = builder.perHead(builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`));
  const then_branch = builder.branch("cached", () => {
    const { mixed, weights } = builder.attend(query, `${past}.key`, `${past}.value`);
    const none = builder.emptyHeads();
    return [mixed, weights, none, builder.node("Identity", [none])];
  });
  const else_branch = builder.branch("first", () => {
    const projected = builder.dense("encoder_hidden_states", `${name}/linear_1`);
    const [keys, values] = builder.split(projected, 2).map((part) => builder.perHead(part));
    const { mixed, weights } = builder.attend(query, keys, values);
    return [mixed, weights, keys, values];
  });
  const none = [undefined, undefined, undefined, undefined];
  const [mixed, weights, keys, values] = builder.nodes("If", ["use_cache_branch"], none, { then_branch, else_branch });
  return { y: builder.dense(mixed, `${name}/linear_2`), weights, keys, values };
}

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
class WhisperBuilder extends ModelBuilder {
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
