/**
 * Lowering of normalisations, softmax and reductions: everything that sums along an axis.
 *
 * @module
 */
import type { Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { sizeOf } from "../../tensor/shape.ts";
import type { Epilogue } from "./fuse_elementwise.ts";
import { activations } from "./lower_matmul.ts";
import type { Lowering } from "./lowering.ts";
import { permuteView, type View } from "./view.ts";

/** How a workgroup is shared between neighbouring columns; see `kernels-wgsl/include/columns.wgsl`. */
interface ColumnLayout {
  readonly COLUMNS: number;
  readonly LANES: number;
}

/** The layout for columns, or rows, of so many elements or fours of them. */
function layoutOf(length: number, isRow: boolean, columns: number): ColumnLayout {
  // Many short columns keep a GPU busy with one invocation each; few long ones need several.
  if (!isRow) return columns >= 32 * length ? { COLUMNS: 64, LANES: 1 } : { COLUMNS: 32, LANES: 8 };
  if (length <= 64) return { COLUMNS: 8, LANES: 8 };
  return { COLUMNS: 1, LANES: length <= 512 ? 64 : 256 };
}

/** How elements are read, by the flags of `columns.wgsl`: four neighbours at once where the shape allows it. */
type ColumnReads = "SINGLE" | "ALONG" | "ACROSS";

function readsOf(length: number, inner: number): ColumnReads {
  if (inner === 1) return length % 4 === 0 ? "ALONG" : "SINGLE";
  return inner % 4 === 0 ? "ACROSS" : "SINGLE";
}

function workgroupsFor(columns: number, layout: ColumnLayout): number {
  return Math.ceil(columns / layout.COLUMNS);
}

/** activate(norm(x)): x, weight?, bias? -> same shape */
export function lowerNorm(
  lowering: Lowering,
  op: OpOf<"rmsNorm"> | OpOf<"layerNorm">,
  inputs: readonly Value[],
  { result, activation }: Epilogue,
): void {
  const { shape } = result;
  const axis = op.kind === "rmsNorm" ? op.axis : shape.length - 1;
  const length = shape[axis];
  const inner = sizeOf(shape.slice(axis + 1));
  const reads = readsOf(length, inner);
  const each = reads === "ACROSS" ? 4 : 1;
  const columns = sizeOf(shape) / length / each;
  const layout = layoutOf(reads === "ALONG" ? length / 4 : length, inner === 1, columns);
  const [x, weight, bias] = inputs.map((v) => lowering.dense(lowering.view(v)));
  const workgroups = workgroupsFor(columns, layout);
  lowering.dispatch({
    what: op.kind,
    kernel: "norm",
    flags: [lowering.precision === "f16" && "F16", reads],
    constants: { ...layout },
    params: [
      workgroups,
      columns,
      length,
      inner / each,
      { f32: op.eps },
      op.kind === "layerNorm" ? 1 : 0,
      op.weight ? 1 : 0,
      op.kind === "layerNorm" && op.bias ? 1 : 0,
      activation ? activations[activation] : 0,
    ],
    inputs: [x, weight ?? lowering.nothing(), bias ?? lowering.nothing()],
    output: lowering.result(result),
    workgroups,
  });
}

/** x -> same shape, along the last axis */
export function lowerSoftmax(lowering: Lowering, inputs: readonly Value[], value: Value): void {
  const length = value.shape.at(-1)!;
  const columns = sizeOf(value.shape) / length;
  const reads = readsOf(length, 1);
  const layout = layoutOf(reads === "ALONG" ? length / 4 : length, true, columns);
  const workgroups = workgroupsFor(columns, layout);
  lowering.dispatch({
    what: "softmax",
    kernel: "softmax",
    flags: [lowering.precision === "f16" && "F16", reads],
    constants: { ...layout },
    params: [workgroups, columns, length],
    inputs: [lowering.dense(lowering.view(inputs[0]))],
    output: lowering.result(value),
    workgroups,
  });
}

const howNumbers = { sum: 0, mean: 0, max: 1, min: 2 } as const;

/** x -> the axes become 1 */
export function lowerReduce(lowering: Lowering, op: OpOf<"reduce">, inputs: readonly Value[], value: Value): void {
  const { view, length, inner } = reducible(lowering.view(inputs[0]), op.axes);
  const reads = readsOf(length, inner);
  const each = reads === "ACROSS" ? 4 : 1;
  const columns = sizeOf(value.shape) / each;
  const layout = layoutOf(reads === "ALONG" ? length / 4 : length, inner === 1, columns);
  const workgroups = workgroupsFor(columns, layout);
  lowering.dispatch({
    what: op.fn,
    kernel: "reduce",
    flags: [lowering.precision === "f16" && "F16", reads],
    constants: { ...layout },
    params: [workgroups, columns, length, inner / each, { f32: op.fn === "mean" ? 1 / length : 1 }, howNumbers[op.fn]],
    inputs: [lowering.dense(view)],
    output: lowering.result(value),
    workgroups,
  });
}

/** The view with its reduced axes next to each other: where they are, or else moved to the end. */
function reducible(view: View, axes: readonly number[]): { view: View; length: number; inner: number } {
  const length = axes.reduce((n, a) => n * view.shape[a], 1);
  const last = axes[axes.length - 1];
  if (last - axes[0] === axes.length - 1) return { view, length, inner: sizeOf(view.shape.slice(last + 1)) };
  const kept = view.shape.map((_, i) => i).filter((i) => !axes.includes(i));
  return { view: permuteView(view, [...kept, ...axes]), length, inner: 1 };
}
