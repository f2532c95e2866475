/**
 * Lowering of matrix products.
 *
 * @module
 */
import type { Value } from "../../tensor/graph.ts";
import type { Activation, OpOf } from "../../tensor/op.ts";
import { sameShape, sizeOf } from "../../tensor/shape.ts";
import { dispatchParts, divideProduct } from "./divide_product.ts";
import type { Lowering } from "./lowering.ts";
import type { Binding } from "./step.ts";
import { broadcastView, type View } from "./view.ts";

/** Numbers of the activations in `epilogue.wgsl`. */
export const activations: Readonly<Record<Activation, number>> = { relu: 1, silu: 2, gelu: 3, geluErf: 4 };

/** A product over a batch, its operands dense. */
interface Product {
  readonly op: OpOf<"matmul">;
  readonly left: View;
  readonly right: View;
  readonly bias: View | undefined;
  readonly output: View;
  readonly batch: number;
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  /** Elements between the matrices of the batch; 0 when it is one matrix for all. */
  readonly leftBatch: number;
  readonly rightBatch: number;
}

/** A range of columns whose weights can be bound at once. */
interface ColumnPart {
  readonly first: number;
  readonly count: number;
  readonly right: View | Binding;
}

/** a, b, bias? -> [.., M, N] */
export function lowerMatmul(lowering: Lowering, op: OpOf<"matmul">, inputs: readonly Value[], value: Value): void {
  const [a, b] = inputs.map((v) => lowering.view(v));
  const bias = op.bias ? lowering.dense(lowering.view(inputs[2])) : undefined;
  const lead = value.shape.slice(0, -2);
  const [inner, columns] = [a.shape.at(-1)!, value.shape.at(-1)!];
  const shared = sizeOf(b.shape.slice(0, -2)) === 1;
  const batch = shared ? 1 : sizeOf(lead);
  const left = lowering.dense(batchOperand(a, lead));
  const right = lowering.dense(batchOperand(b, lead));
  const rows = shared ? sizeOf(value.shape) / columns : value.shape.at(-2)!;
  const product: Product = {
    op,
    left,
    right,
    bias,
    output: lowering.result(value),
    batch,
    rows,
    inner,
    columns,
    leftBatch: sizeOf(left.shape) === rows * inner ? 0 : rows * inner,
    rightBatch: sizeOf(right.shape) === inner * columns ? 0 : inner * columns,
  };
  for (const part of columnParts(lowering, product)) {
    const isFew = product.batch === 1 && product.rows / lowering.entries <= 8;
    if (op.transposeB && isFew) multiplyFewRows(lowering, product, part);
    else multiplyBlocks(lowering, product, part);
  }
}

/** An operand whose leading axes are all of the batch or none of it. */
function batchOperand(view: View, lead: readonly number[]): View {
  const own = view.shape.slice(0, -2);
  if (sizeOf(own) === 1 || sameShape(own, lead)) return view;
  return broadcastView(view, [...lead, ...view.shape.slice(-2)]);
}

/** All columns, or as many at a time as the device can bind of a transposed weight. */
function columnParts(lowering: Lowering, { op, right, inner, columns, batch }: Product): ColumnPart[] {
  const { maxStorageBufferBindingSize: limit, minStorageBufferOffsetAlignment: alignment } = lowering.limits;
  const rowBytes = inner * lowering.bytesOf("float");
  if (!op.transposeB || batch > 1 || columns * rowBytes <= limit) return [{ first: 0, count: columns, right }];
  // Whole rows of the weight from aligned offsets; a multiple of 4 keeps vectorised kernels possible.
  const step = Math.floor(limit / rowBytes / alignment) * alignment;
  if (step === 0) return [{ first: 0, count: columns, right }];
  const parts: ColumnPart[] = [];
  for (let first = 0; first < columns; first += step) {
    const count = Math.min(step, columns - first);
    const offset = right.offset * lowering.bytesOf("float") + first * rowBytes;
    parts.push({ first, count, right: { region: right.region, offset, bytes: count * rowBytes } });
  }
  return parts;
}

function multiplyFewRows(lowering: Lowering, p: Product, part: ColumnPart): void {
  const columnTiles = Math.ceil(part.count / 4);
  const workgroups = columnTiles * Math.ceil(p.rows / 4);
  lowering.dispatch({
    what: "matmul",
    kernel: "matvec",
    flags: [lowering.precision === "f16" && "F16", p.inner % 4 === 0 && "VEC"],
    params: [
      workgroups,
      p.rows,
      part.count,
      p.inner,
      columnTiles,
      p.columns,
      part.first,
      p.bias ? 1 : 0,
      p.op.activation ? activations[p.op.activation] : 0,
    ],
    inputs: [p.left, part.right, p.bias ?? lowering.nothing()],
    output: p.output,
    workgroups,
    flops: 2 * p.rows * part.count * p.inner,
  });
}

function multiplyBlocks(lowering: Lowering, p: Product, part: ColumnPart): void {
  const { entries } = lowering;
  const size = { rows: p.rows, columns: part.count, inner: p.inner, taps: 1, batch: p.batch, entries };
  const division = divideProduct(lowering, size, part.count < p.columns ? "tiles" : "parts");
  const vec = p.inner % 4 === 0 && p.columns % 4 === 0;
  const transposed = p.op.transposeB ? 1 : 0;
  const activation = p.op.activation ? activations[p.op.activation] : 0;
  dispatchParts(lowering, "matmul", division, p.output, activation, (output, activation) =>
    lowering.dispatch({
      what: "matmul",
      kernel: division.tiled ? "matmul_tiled" : "matmul",
      flags: [lowering.precision === "f16" && "F16", vec && "VEC", ...division.flags],
      constants: { ...division.constants, ...(division.tiled && { TRANSPOSED: transposed }) },
      params: [
        division.owners,
        p.rows,
        part.count,
        p.inner,
        division.ownerRows,
        division.ownerColumns,
        p.leftBatch,
        p.rightBatch,
        p.columns,
        part.first,
        transposed,
        p.bias ? 1 : 0,
        activation,
        ...division.partParams,
      ],
      inputs: [p.left, part.right, p.bias ?? lowering.nothing()],
      output,
      workgroups: division.workgroups,
      time: division.time,
      flops: 2 * p.batch * p.rows * part.count * p.inner,
    }));
}
