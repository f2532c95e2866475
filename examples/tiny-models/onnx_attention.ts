/**
 * Attention of a decoder with its cache, in the two forms that published ONNX models have.
 *
 * @module
 */
import type { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { elementTypes } from "../../lib/onnx/onnx_messages.ts";
import type { TransformerShape } from "./transformer_weights.ts";

/** Queries, keys and values before the rotation, [batch, sequence, heads · size] each. */
export interface Projections {
  readonly query: string;
  readonly key: string;
  readonly value: string;
}

/** Appends the attention of a layer, which gives [batch, sequence, heads · size]. */
export type AttentionLayer = (layer: number, projections: Projections) => string;

/**
 * One operator that rotates, appends to the cache and attends, `GroupQueryAttention`. It counts on the mask only for
 * the length of each row, so rows are padded on the right. It takes everything in the precision of its cache.
 */
export function groupQueryAttention(
  builder: ModelBuilder,
  shape: TransformerShape,
  halfCache: boolean,
): AttentionLayer {
  const { heads, kvHeads, headSize } = shape;
  const narrow = (x: string): string => halfCache ? builder.node("Cast", [x], { to: elementTypes.float16 }) : x;
  const widen = (x: string): string => halfCache ? builder.node("Cast", [x], { to: elementTypes.float }) : x;
  const tables = rotationTables(builder, shape).map(narrow);
  const lengths = builder.node("ReduceSum", ["attention_mask", builder.integers([1])], { keepdims: 0 });
  const last = builder.node("Cast", [builder.node("Sub", [lengths, one(builder)])], { to: elementTypes.int32 });
  const total = builder.node("Cast", [size(builder, "attention_mask", 1)], { to: elementTypes.int32 });
  return (layer, { query, key, value }) => {
    const past = ["key", "value"].map((part) => `past_key_values.${layer}.${part}`);
    const [attended] = builder.nodes(
      "com.microsoft:GroupQueryAttention",
      [...[query, key, value].map(narrow), ...past, last, total, ...tables],
      [undefined, `present.${layer}.key`, `present.${layer}.value`],
      {
        num_heads: heads,
        kv_num_heads: kvHeads,
        do_rotary: 1,
        rotary_interleaved: 0,
        scale: { float: headSize ** -0.5 },
      },
    );
    return widen(attended);
  };
}

/** The same of basic operators: every key that the mask does not hide and that is not behind the query counts. */
export function decomposedAttention(
  builder: ModelBuilder,
  shape: TransformerShape,
  halfCache: boolean,
): AttentionLayer {
  const { heads, kvHeads, headSize } = shape;
  const rotate = rotation(builder, shape);
  const mask = causalMask(builder);
  const perHead = (x: string, count: number): string =>
    builder.node("Transpose", [builder.node("Reshape", [x, builder.integers([0, 0, count, headSize])])], {
      perm: [0, 2, 1, 3],
    });
  const cached = (layer: number, part: string, news: string): string => {
    const name = `past_key_values.${layer}.${part}`;
    const past = halfCache ? builder.node("Cast", [name], { to: elementTypes.float }) : name;
    const present = `present.${layer}.${part}`;
    const [all] = builder.nodes("Concat", [past, news], [halfCache ? undefined : present], { axis: 2 });
    if (halfCache) builder.nodes("Cast", [all], [present], { to: elementTypes.float16 });
    const copies = builder.node("Expand", [
      builder.node("Unsqueeze", [all, builder.integers([2])]),
      builder.integers([1, 1, heads / kvHeads, 1, 1]),
    ]);
    return builder.node("Reshape", [copies, builder.integers([0, heads, -1, headSize])]);
  };
  return (layer, { query, key, value }) => {
    const keys = cached(layer, "key", rotate(perHead(key, kvHeads)));
    const values = cached(layer, "value", perHead(value, kvHeads));
    const scores = builder.node("MatMul", [
      rotate(perHead(query, heads)),
      builder.node("Transpose", [keys], { perm: [0, 1, 3, 2] }),
    ]);
    const masked = builder.node("Add", [builder.node("Mul", [scores, builder.scalar(headSize ** -0.5)]), mask]);
    const attended = builder.node("MatMul", [builder.node("Softmax", [masked], { axis: -1 }), values]);
    return builder.node("Reshape", [
      builder.node("Transpose", [attended], { perm: [0, 2, 1, 3] }),
      builder.integers([0, 0, heads * headSize]),
    ]);
  };
}

/** 0 where a query sees a key, far below 0 elsewhere: [batch, 1, sequence, total]. */
function causalMask(builder: ModelBuilder): string {
  const past = size(builder, "past_key_values.0.key", 2);
  const total = size(builder, "attention_mask", 1);
  const range = (from: string): string => builder.node("Range", [from, total, one(builder)]);
  const queries = builder.node("Unsqueeze", [range(past), builder.integers([1])]);
  const keys = builder.node("Unsqueeze", [
    range(builder.constant("int64", [], new BigInt64Array(1))),
    builder.integers([0]),
  ]);
  const real = builder.node("Cast", ["attention_mask"], { to: elementTypes.bool });
  const seen = builder.node("And", [
    builder.node("LessOrEqual", [keys, queries]),
    builder.node("Unsqueeze", [real, builder.integers([1, 2])]),
  ]);
  return builder.node("Where", [seen, builder.scalar(0), builder.scalar(-1e9)]);
}

/** Turns the halves of each head by the position (RoFormer, Su et al. 2021, with the halves of GPT-NeoX). */
function rotation(builder: ModelBuilder, shape: TransformerShape): (x: string) => string {
  const half = shape.headSize / 2;
  const [cos, sin] = rotationTables(builder, shape).map((table) =>
    builder.node("Unsqueeze", [builder.node("Gather", [table, "position_ids"]), builder.integers([1])])
  );
  const slice = (x: string, from: number, to: number): string =>
    builder.node("Slice", [x, builder.integers([from]), builder.integers([to]), builder.integers([3])]);
  return (x) => {
    const first = slice(x, 0, half);
    const second = slice(x, half, shape.headSize);
    const times = (a: string, b: string): string => builder.node("Mul", [a, b]);
    return builder.node("Concat", [
      builder.node("Sub", [times(first, cos), times(second, sin)]),
      builder.node("Add", [times(second, cos), times(first, sin)]),
    ], { axis: -1 });
  };
}

/** Cosines and sines, [context, size / 2] each. */
function rotationTables(builder: ModelBuilder, { context, headSize, ropeTheta }: TransformerShape): [string, string] {
  const half = headSize / 2;
  const angles = Float64Array.from(
    { length: context * half },
    (_, i) => Math.floor(i / half) * ropeTheta ** (-(i % half) / half),
  );
  const table = (of: (angle: number) => number): string =>
    builder.constant("float", [context, half], Float32Array.from(angles, of));
  return [table(Math.cos), table(Math.sin)];
}

/** A size of a value as a scalar. */
function size(builder: ModelBuilder, value: string, axis: number): string {
  const index = builder.constant("int64", [], BigInt64Array.of(BigInt(axis)));
  return builder.node("Gather", [builder.node("Shape", [value]), index]);
}

function one(builder: ModelBuilder): string {
  return builder.constant("int64", [], BigInt64Array.of(1n));
}
