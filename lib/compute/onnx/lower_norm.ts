/**
 * Normalisations, softmax and reductions.
 *
 * @module
 */
import type { Lowering } from "./lowering.ts";

/** x, weight? [n] of the axis -> same shape */
export const lowerRmsNorm: Lowering<"rmsNorm"> = (builder, op, [x, weight]) => {
  const n = x.shape[op.axis];
  if (op.axis === x.shape.length - 1) {
    return builder.node("RMSNormalization", [x.name, weight?.name ?? builder.filled(n, 1)], {
      epsilon: { float: op.eps },
    });
  }
  const squares = builder.node("ReduceSumSquare", [x.name, builder.integers([op.axis])]);
  const mean = builder.node("Mul", [squares, builder.scalar(1 / n)]);
  const root = builder.node("Sqrt", [builder.node("Add", [mean, builder.scalar(op.eps)])]);
  const normal = builder.node("Mul", [x.name, builder.node("Reciprocal", [root])]);
  if (!weight) return normal;
  const column = [n, ...x.shape.slice(op.axis + 1).map(() => 1)];
  return builder.node("Mul", [normal, builder.reshape(weight, column)]);
};

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
