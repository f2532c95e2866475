/**
 * Lowering of linear layers with quantised weights.
 *
 * @module
 */
import type { Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { sizeOf } from "../../tensor/shape.ts";
import { dispatchParts, divideProduct } from "./divide_product.ts";
import { activations } from "./lower_matmul.ts";
import type { Lowering } from "./lowering.ts";
import type { Binding } from "./step.ts";
import type { Region } from "./view.ts";

/** x [..,K], bias? [N] -> [..,N]; as for other matrix products, in kernels that take the weight apart as they read it. */
export function lowerQuantizedLinear(
  lowering: Lowering,
  op: OpOf<"quantizedLinear">,
  inputs: readonly Value[],
  value: Value,
): void {
  const { weight, activation } = op;
  const { bits, groupSize, groups } = weight;
  const [columns, inner] = weight.shape;
  const rows = sizeOf(value.shape) / columns;
  const left = lowering.dense(lowering.view(inputs[0]));
  const bias = op.bias ? lowering.dense(lowering.view(inputs[1])) : lowering.nothing();
  const numbers = lowering.packed(weight.values);
  const scales = lowering.constant(weight.scales).region;
  const zeroPoints = weight.zeroPoints ? lowering.packed(weight.zeroPoints) : undefined;
  const output = lowering.result(value);
  const [hasBias, hasZeroPoints] = [op.bias ? 1 : 0, zeroPoints ? 1 : 0];
  const activate = activation ? activations[activation] : 0;
  for (const { first, count } of columnParts(lowering, columns, groups * groupSize * bits / 8)) {
    const part = (region: Region): Binding => {
      const bytes = region.bytes / columns;
      return { region, offset: first * bytes, bytes: count * bytes };
    };
    const inputs = [left, bias, part(numbers), part(scales), zeroPoints ? part(zeroPoints) : lowering.nothing()];
    const half = lowering.precision === "f16" && "F16";
    const flops = 2 * rows * count * inner;
    if (rows / lowering.entries <= 8) {
      const ownerColumns = Math.ceil(count / 4);
      const workgroups = Math.ceil(rows / 4) * ownerColumns;
      const shape = [rows, count, inner, ownerColumns, columns];
      lowering.dispatch({
        what: "quantizedLinear",
        kernel: "matvec",
        flags: [half, inner % 4 === 0 && "VEC", "QUANTIZED"],
        constants: { BITS: bits, GROUP: groupSize },
        params: [workgroups, ...shape, first, hasBias, activate, groups, hasZeroPoints],
        inputs,
        output,
        workgroups,
        flops,
      });
      continue;
    }
    const size = { rows, columns: count, inner, taps: 1, batch: 1, entries: lowering.entries };
    const division = divideProduct(lowering, size, count < columns ? "tiles" : "parts");
    // The kernels for blocks and tiles have a batch, which has one entry here, and take right operands in two orders.
    const order = division.tiled ? { TRANSPOSED: 1 } : {};
    const { owners, ownerRows, ownerColumns, partParams } = division;
    const shape = [rows, count, inner, ownerRows, ownerColumns, 0, 0, columns];
    dispatchParts(lowering, "quantizedLinear", division, output, activate, (output, activate) =>
      lowering.dispatch({
        what: "quantizedLinear",
        kernel: division.tiled ? "matmul_tiled" : "matmul",
        flags: [half, inner % 4 === 0 && columns % 4 === 0 && "VEC", "QUANTIZED", ...division.flags],
        constants: { BITS: bits, GROUP: groupSize, ...division.constants, ...order },
        params: [owners, ...shape, first, 1, hasBias, activate, groups, hasZeroPoints, ...partParams],
        inputs,
        output,
        workgroups: division.workgroups,
        time: division.time,
        flops,
      }));
  }
}

/** All columns, or as many at a time as the device can bind; parts begin where every parameter is aligned. */
function columnParts(
  { limits }: Lowering,
  columns: number,
  rowBytes: number,
): { readonly first: number; readonly count: number }[] {
  const { maxStorageBufferBindingSize: limit, minStorageBufferOffsetAlignment: alignment } = limits;
  // Scales are never larger than the numbers they belong to: at least 16 numbers of 4 bits have one of 4 bytes.
  const step = Math.floor(limit / rowBytes / alignment) * alignment;
  if (columns * rowBytes <= limit || step === 0) return [{ first: 0, count: columns }];
  return Array.from(
    { length: Math.ceil(columns / step) },
    (_, i) => ({ first: i * step, count: Math.min(step, columns - i * step) }),
  );
}
