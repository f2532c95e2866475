/**
 * An encoder in the manner of BERT ("BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
 * Devlin et al. 2019) with random weights, as part of an ONNX model.
 *
 * @module
 */
import type { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { elementTypes } from "../../lib/onnx/onnx_messages.ts";
import { linear } from "./onnx_linear.ts";
import { tensorRandom, uniform } from "./transformer_weights.ts";

/** Sizes of an encoder. */
export interface EncoderShape {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly ffn: number;
  readonly context: number;
}

/** Fast to build and run. */
export const TINY_ENCODER: Omit<EncoderShape, "vocabulary"> = {
  hidden: 64,
  layers: 2,
  heads: 4,
  ffn: 128,
  context: 512,
};

/** An encoder within a model. */
export interface OnnxEncoder {
  /** [batch, sequence, hidden] */
  readonly hidden: string;
  /** Appends x · Wᵀ + b with random weights; `columns` is the width of x. */
  readonly dense: (x: string, name: string, rows: number, columns: number) => string;
}

/**
 * Declares the inputs `input_ids`, `attention_mask` and, if wanted, `token_type_ids`, [batch, sequence] each, and
 * appends the encoder. Places that the mask hides are seen by no other.
 */
export function onnxEncoder(
  builder: ModelBuilder,
  shape: EncoderShape,
  seed: number,
  tokenTypes: boolean,
): OnnxEncoder {
  const { vocabulary, hidden, layers, heads, ffn, context } = shape;
  const names = ["input_ids", "attention_mask", ...tokenTypes ? ["token_type_ids"] : []];
  for (const name of names) builder.input(name, "int64", ["batch_size", "sequence_length"]);
  const random = (name: string, size: number, limit: number): Float32Array =>
    uniform(size, limit, tensorRandom(seed, name));
  const dense = (x: string, name: string, rows: number, columns: number): string => {
    const data = random(`${name}.weight`, rows * columns, Math.sqrt(3 / columns));
    const bias = builder.constant("float", [rows], random(`${name}.bias`, rows, 0.1));
    return builder.node("Add", [linear(builder, x, { rows, columns, data }, "f32"), bias]);
  };
  const normalize = (x: string): string =>
    builder.node("LayerNormalization", [x, builder.filled(hidden, 1), builder.filled(hidden, 0)], {
      epsilon: { float: 1e-12 },
    });
  const table = (name: string, rows: number): string =>
    builder.constant("float", [rows, hidden], random(name, rows * hidden, 1));
  const perHead = (x: string): string =>
    builder.node("Transpose", [builder.node("Reshape", [x, builder.integers([0, 0, heads, hidden / heads])])], {
      perm: [0, 2, 1, 3],
    });
  const mask = hiddenPlaces(builder);
  const attend = (x: string, layer: string): string => {
    const [query, key, value] = ["query", "key", "value"].map((part) =>
      perHead(dense(x, `${layer}.${part}`, hidden, hidden))
    );
    const scores = builder.node("MatMul", [query, builder.node("Transpose", [key], { perm: [0, 1, 3, 2] })]);
    const scaled = builder.node("Mul", [scores, builder.scalar((hidden / heads) ** -0.5)]);
    const weights = builder.node("Softmax", [builder.node("Add", [scaled, mask])], { axis: -1 });
    const mixed = builder.node("Transpose", [builder.node("MatMul", [weights, value])], { perm: [0, 2, 1, 3] });
    return builder.node("Reshape", [mixed, builder.integers([0, 0, hidden])]);
  };

  const words = builder.node("Gather", [table("words", vocabulary), "input_ids"]);
  const placed = builder.node("Add", [words, builder.node("Gather", [table("places", context), places(builder)])]);
  let x = normalize(
    tokenTypes ? builder.node("Add", [placed, builder.node("Gather", [table("types", 2), "token_type_ids"])]) : placed,
  );
  for (let i = 0; i < layers; i++) {
    const layer = `layer.${i}`;
    x = normalize(builder.node("Add", [x, dense(attend(x, layer), `${layer}.output`, hidden, hidden)]));
    const wide = builder.node("Gelu", [dense(x, `${layer}.wide`, ffn, hidden)]);
    x = normalize(builder.node("Add", [x, dense(wide, `${layer}.narrow`, hidden, ffn)]));
  }
  return { hidden: x, dense };
}

/** 0, 1, 2 and so on: [sequence] */
export function places(builder: ModelBuilder): string {
  const integer = (value: bigint): string => builder.constant("int64", [], BigInt64Array.of(value));
  const length = builder.node("Gather", [builder.node("Shape", ["input_ids"]), integer(1n)]);
  return builder.node("Range", [integer(0n), length, integer(1n)]);
}

/** 0 for tokens that count, far below 0 for others: [batch, 1, 1, sequence] */
function hiddenPlaces(builder: ModelBuilder): string {
  const real = builder.node("Cast", ["attention_mask"], { to: elementTypes.bool });
  const wide = builder.node("Unsqueeze", [real, builder.integers([1, 2])]);
  return builder.node("Where", [wide, builder.scalar(0), builder.scalar(-1e9)]);
}
