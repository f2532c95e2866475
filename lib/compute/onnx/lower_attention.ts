/**
 * Attention and rotary positions, normalisations, softmax and reductions.
 *
 * @module
 */
import { sameShape, sizeOf } from "../tensor/shape.ts";
import type { Lowering, ModelBuilder, Operand } from "./model_builder.ts";

/** q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv], bias? broadcastable to [B?,H,Lq,Lk] -> [B?,Lq,H,Dv] */
export const lowerAttention: Lowering<"attention"> = (builder, op, [q, k, v, bias], output) => {
  const batch = q.shape.length === 4 ? q.shape[0] : 1;
  const [lq, heads] = q.shape.slice(-3);
  const [lk] = k.shape.slice(-3);
  const merged = [q, k, v].map((x) => {
    const [tokens, , channels] = x.shape.slice(-3);
    return builder.reshape(x, [batch, tokens, heads * channels]);
  });
  if (bias) {
    const lead = [1, 1, 1, 1].slice(bias.shape.length);
    const four = [...lead, ...bias.shape];
    const whole = [four[0], four[1], lq, lk];
    const name = builder.reshape(bias, four);
    merged.push("", "", sameShape(whole, four) ? name : builder.node("Expand", [name, builder.integers(whole)]));
  }
  const factors = merged.map((each) => builder.factor(each));
  const name = builder.product(
    builder.node("com.microsoft:MultiHeadAttention", factors, { num_heads: heads, scale: { float: op.scale } }),
  );
  const [channels] = v.shape.slice(-1);
  return builder.reshape({ name, shape: [batch, lq, heads * channels] }, output);
};

/** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D] */
export const lowerRope: Lowering<"rope"> = (builder, op, [x, cos, sin]) => {
  const [tokens, heads, channels] = x.shape;
  const shape = [1, tokens, heads * channels];
  const inputs = [builder.reshape(x, shape), builder.integers([0]), cos.name, sin.name];
  const name = builder.node("com.microsoft:RotaryEmbedding", inputs, {
    interleaved: op.pairs === "neighbours" ? 1 : 0,
  });
  return builder.reshape({ name, shape }, x.shape);
};

/** x, weight? [n] of the axis -> same shape */
export const lowerRmsNorm: Lowering<"rmsNorm"> = (builder, op, [x, weight]) => {
  const n = x.shape[op.axis];
  if (op.axis === x.shape.length - 1) {
    return builder.node("RMSNormalization", [x.name, weight?.name ?? builder.filled(n, 1)], {
      epsilon: { float: op.eps },
    });
  }
  const mean = meanOfSquares(builder, x, op.axis);
  const root = builder.node("Sqrt", [builder.node("Add", [mean, builder.scalar(op.eps)])]);
  const normal = builder.node("Mul", [x.name, builder.node("Reciprocal", [root])]);
  if (!weight) return normal;
  const column = [n, ...x.shape.slice(op.axis + 1).map(() => 1)];
  return builder.node("Mul", [normal, builder.reshape(weight, column)]);
};

/** Up to so many elements the squares of a value stay in the cache until they are summed. */
const CACHED = 2 ** 20;

/** x -> the same shape with 1 for the axis. As a product with a row of 1/n it takes half the time of a reduction. */
function meanOfSquares(builder: ModelBuilder, x: Operand, axis: number): string {
  const n = x.shape[axis];
  if (sizeOf(x.shape) > CACHED) {
    const squares = builder.node("ReduceSumSquare", [x.name, builder.integers([axis])]);
    return builder.node("Mul", [squares, builder.scalar(1 / n)]);
  }
  const [before, after] = [x.shape.slice(0, axis), x.shape.slice(axis + 1)];
  const columns = builder.reshape(x, [sizeOf(before), n, sizeOf(after)]);
  const squares = builder.node("Mul", [columns, columns]);
  const name = builder.node("MatMul", [builder.constant("float", [1, n], new Float32Array(n).fill(1 / n)), squares]);
  return builder.reshape({ name, shape: [sizeOf(before), 1, sizeOf(after)] }, [...before, 1, ...after]);
}

/** x, weight? [n], bias? [n] -> same shape, over the last axis */
export const lowerLayerNorm: Lowering<"layerNorm"> = (builder, op, [x, weight, bias]) => {
  const scale = weight?.name ?? builder.filled(x.shape[x.shape.length - 1], 1);
  return builder.node("LayerNormalization", bias ? [x.name, scale, bias.name] : [x.name, scale], {
    epsilon: { float: op.eps },
  });
};

/** Along the last axis. */
export const lowerSoftmax: Lowering<"softmax"> = (builder, _, [x]) => builder.node("Softmax", [x.name]);

const reduceTypes = { sum: "ReduceSum", mean: "ReduceMean", max: "ReduceMax", min: "ReduceMin" } as const;

/** The axes become 1. */
export const lowerReduce: Lowering<"reduce"> = (builder, op, [x]) =>
  builder.node(reduceTypes[op.fn], [x.name, builder.integers(op.axes)]);
