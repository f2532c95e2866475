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
  if (b.shape.length === 2) {
    const k = a.shape[a.shape.length - 1];
    const rows = sizeOf(a.shape) / k;
    const flat = builder.reshape(a, [rows, k]);
    const inputs = (bias ? [flat, b.name, bias.name] : [flat, b.name]).map((each) => builder.factor(each));
    const product = builder.product(builder.node("Gemm", inputs, { transB: op.transposeB ? 1 : 0 }));
    const name = applyActivation(builder, op.activation, product);
    return builder.reshape({ name, shape: [rows, output[output.length - 1]] }, output);
  }
  const factors = [builder.factor(a.name), builder.factor(b.name)];
  const matmul = builder.node("com.microsoft:FusedMatMul", factors, { transB: op.transposeB ? 1 : 0 });
  let product = builder.product(matmul);
  if (bias) product = builder.node("Add", [product, bias.name]);
  return applyActivation(builder, op.activation, product);
};
