/**
 * Matrix products.
 *
 * @module
 */
import { sizeOf } from "../tensor/shape.ts";
import { applyActivation } from "./lower_elementwise.ts";
import type { Lowering } from "./lowering.ts";

/**
 * a [..,M,K], b [..,K,N] (or [..,N,K]), bias? [N] -> [..,M,N].
 *
 * A matrix b makes one Gemm over all rows of a, whose packed weights and bias ONNX Runtime keeps; reshapes are free.
 */
export const lowerMatmul: Lowering<"matmul"> = (builder, op, [a, b, bias], output) => {
  let product: string;
  if (b.shape.length === 2) {
    const k = a.shape[a.shape.length - 1];
    const flat = a.shape.length > 2;
    const rows = flat ? builder.node("Reshape", [a.name, builder.integers([sizeOf(a.shape) / k, k])]) : a.name;
    const inputs = bias ? [rows, b.name, bias.name] : [rows, b.name];
    product = applyActivation(builder, op.activation, builder.node("Gemm", inputs, { transB: op.transposeB ? 1 : 0 }));
    return flat ? builder.node("Reshape", [product, builder.integers(output)]) : product;
  }
  product = builder.node("com.microsoft:FusedMatMul", [a.name, b.name], { transB: op.transposeB ? 1 : 0 });
  if (bias) product = builder.node("Add", [product, bias.name]);
  return applyActivation(builder, op.activation, product);
};
