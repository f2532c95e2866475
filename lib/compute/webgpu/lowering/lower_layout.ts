/**
 * Lowering of data movement operators. Most of them move nothing: they return another view.
 *
 * @module
 */
import type { Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { sizeOf, stridesOf } from "../../tensor/shape.ts";
import { elementsPerUnit } from "./dispatch.ts";
import type { Lowering } from "./lowering.ts";
import { type Binding, eightAxes } from "./step.ts";
import { broadcastView, denseView, isDense, permuteView, sliceView, type View } from "./view.ts";

/** The same elements under another shape. */
export function lowerReshape(lowering: Lowering, inputs: readonly Value[], value: Value): void {
  const view = lowering.view(inputs[0]);
  const { region, offset } = isDense(view) ? view : lowering.dense(view);
  lowering.place(value, denseView(region, value.shape, offset));
}

/** Output axis i is input axis permutation[i]. */
export function lowerTranspose(
  lowering: Lowering,
  op: OpOf<"transpose">,
  inputs: readonly Value[],
  value: Value,
): void {
  lowering.place(value, permuteView(lowering.view(inputs[0]), op.permutation));
}

/** The elements within ranges. */
export function lowerSlice(lowering: Lowering, op: OpOf<"slice">, inputs: readonly Value[], value: Value): void {
  lowering.place(value, sliceView(lowering.view(inputs[0]), op.starts, op.steps, value.shape));
}

/** Axes of size 1 repeated. */
export function lowerBroadcast(lowering: Lowering, inputs: readonly Value[], value: Value): void {
  lowering.place(value, broadcastView(lowering.view(inputs[0]), value.shape));
}

/** [..,H,W] -> [..,H*scale,W*scale]: a broadcast over two axes of the output seen with six. */
export function lowerUpsample(lowering: Lowering, op: OpOf<"upsample">, inputs: readonly Value[], value: Value): void {
  const view = lowering.view(inputs[0]);
  const rank = view.shape.length;
  const lead = view.shape.slice(0, rank - 2);
  const [height, width] = view.shape.slice(rank - 2);
  const [rowStride, columnStride] = view.strides.slice(rank - 2);
  const repeated: View = {
    ...view,
    shape: [...lead, height, op.scale, width, op.scale],
    strides: [...view.strides.slice(0, rank - 2), rowStride, 0, columnStride, 0],
  };
  const output = lowering.result(value);
  lowering.copy("upsample", repeated, { ...output, shape: repeated.shape, strides: stridesOf(repeated.shape) });
}

/** Values joined along an axis. */
export function lowerConcat(lowering: Lowering, op: OpOf<"concat">, inputs: readonly Value[], value: Value): void {
  const output = lowering.result(value);
  let start = 0;
  for (const input of inputs) {
    const starts = value.shape.map((_, axis) => (axis === op.axis ? start : 0));
    const steps = value.shape.map(() => 1);
    lowering.copy("concat", lowering.view(input), sliceView(output, starts, steps, input.shape));
    start += input.shape[op.axis];
  }
}

/** Zeros before and after every axis. */
export function lowerPad(lowering: Lowering, op: OpOf<"pad">, inputs: readonly Value[], value: Value): void {
  // Axes without padding are merged with the preceding one.
  const axes: { size: number; output: number; before: number }[] = [];
  inputs[0].shape.forEach((size, i) => {
    const last = axes.at(-1);
    if (last && size === value.shape[i]) {
      last.size *= size;
      last.output *= size;
      last.before *= size;
    } else {
      axes.push({ size, output: value.shape[i], before: op.before[i] });
    }
  });
  const inner = axes.length - 1;
  const elementSize = lowering.bytesOf(value.type);
  const { size, output, before } = axes[inner];
  const unit = elementsPerUnit(elementSize, [], [size, output, before]);
  axes[inner] = { size: size / unit, output: output / unit, before: before / unit };
  const count = sizeOf(value.shape) / unit;
  lowering.dispatch({
    what: "pad",
    kernel: "pad",
    flags: [`UNIT${unit * elementSize}`],
    params: [
      count,
      eightAxes(axes.map((a) => a.output)),
      eightAxes(axes.map((a) => a.size)),
      eightAxes(axes.map((a) => a.before)),
      axes.length,
    ],
    inputs: [lowering.dense(lowering.view(inputs[0]))],
    output: lowering.result(value),
    workgroups: Math.ceil(count / 64),
  });
}

/** Elements of an axis at integer indices. */
export function lowerGather(lowering: Lowering, op: OpOf<"gather">, inputs: readonly Value[], value: Value): void {
  const [x, indices] = inputs.map((v) => lowering.dense(lowering.view(v)));
  const inner = sizeOf(x.shape.slice(op.axis + 1));
  const elementSize = lowering.bytesOf(value.type);
  const unit = elementsPerUnit(elementSize, [], [inner]);
  const count = sizeOf(value.shape) / unit;
  const output = lowering.result(value);
  for (const part of rowParts(lowering, x, op.axis, inner * elementSize)) {
    lowering.dispatch({
      what: "gather",
      kernel: "gather",
      flags: [`UNIT${unit * elementSize}`],
      params: [count, part.first, part.rows, sizeOf(indices.shape), inner / unit],
      inputs: [part.table, indices],
      output,
      workgroups: Math.ceil(count / 64),
    });
  }
}

/** All rows of a table, or as many at a time as the device can bind. */
function rowParts(
  lowering: Lowering,
  table: View,
  axis: number,
  rowBytes: number,
): { first: number; rows: number; table: View | Binding }[] {
  const { maxStorageBufferBindingSize: limit, minStorageBufferOffsetAlignment: alignment } = lowering.limits;
  const rows = table.shape[axis];
  const outer = sizeOf(table.shape.slice(0, axis));
  const step = Math.floor(limit / rowBytes / alignment) * alignment;
  if (outer > 1 || rows * rowBytes <= limit || step === 0) return [{ first: 0, rows, table }];
  const parts = [];
  for (let first = 0; first < rows; first += step) {
    const count = Math.min(step, rows - first);
    const offset = table.offset * lowering.bytesOf(table.region.type) + first * rowBytes;
    parts.push({ first, rows: count, table: { region: table.region, offset, bytes: count * rowBytes } });
  }
  return parts;
}
