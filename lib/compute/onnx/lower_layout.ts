/**
 * Operators that only move data.
 *
 * @module
 */
import type { Lowering } from "./lowering.ts";
import { transposeSteps } from "./transpose_steps.ts";

/** The same elements under another shape. */
export const lowerReshape: Lowering<"reshape"> = (builder, _, [x], output) => builder.reshape(x, output);

/** Output axis i is input axis permutation[i]. */
export const lowerTranspose: Lowering<"transpose"> = (builder, op, [x]) =>
  transposeSteps(x.shape, op.permutation).reduce((name, perm) => builder.node("Transpose", [name], { perm }), x.name);

/** Only the axes that lose elements are named. */
export const lowerSlice: Lowering<"slice"> = (builder, op, [x]) => {
  const axes = x.shape.map((_, i) => i)
    .filter((i) => op.starts[i] > 0 || op.ends[i] < x.shape[i] || op.steps[i] > 1);
  const lists = [axes.map((i) => op.starts[i]), axes.map((i) => op.ends[i]), axes, axes.map((i) => op.steps[i])];
  return builder.node("Slice", [x.name, ...lists.map((list) => builder.integers(list))]);
};

/** Joins along an axis. */
export const lowerConcat: Lowering<"concat"> = (builder, op, inputs) =>
  builder.node("Concat", inputs.map((x) => x.name), { axis: op.axis });

/** Zeros before and after every axis. */
export const lowerPad: Lowering<"pad"> = (builder, op, [x]) =>
  builder.node("Pad", [x.name, builder.integers([...op.before, ...op.after])]);

/** Elements of an axis at indices. */
export const lowerGather: Lowering<"gather"> = (builder, op, [x, indices]) =>
  builder.node("Gather", [x.name, indices.name], { axis: op.axis });

/** Repeats axes of size 1. Expand copies element by element; a few copies along one axis are faster joined. */
export const lowerBroadcast: Lowering<"broadcast"> = (builder, op, [x]) => {
  const aligned = [...new Array<number>(op.shape.length - x.shape.length).fill(1), ...x.shape];
  const [axis, ...others] = aligned.map((_, i) => i).filter((i) => aligned[i] !== op.shape[i]);
  const copies = op.shape[axis] ?? 1;
  if (others.length > 0 || copies > 8) return builder.node("Expand", [x.name, builder.integers(op.shape)]);
  const name = builder.reshape(x, aligned);
  return copies === 1 ? name : builder.node("Concat", new Array<string>(copies).fill(name), { axis });
};

/** Repeats every pixel. */
export const lowerUpsample: Lowering<"upsample"> = (builder, op, [x]) => {
  const scales = x.shape.map((_, axis) => axis < x.shape.length - 2 ? 1 : op.scale);
  const factors = builder.constant("float", [scales.length], Float32Array.from(scales));
  return builder.node("Resize", [x.name, "", factors], {
    mode: "nearest",
    coordinate_transformation_mode: "asymmetric",
    nearest_mode: "floor",
  });
};
