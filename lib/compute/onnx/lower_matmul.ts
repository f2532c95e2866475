/**
 * Matrix products, also with quantized weights.
 *
 * @module
 */
import { toFloat32, toHalf } from "../tensor/half.ts";
import type { QuantizedMatrix } from "../tensor/quantized_matrix.ts";
import { sizeOf } from "../tensor/shape.ts";
import { applyActivation } from "./lower_elementwise.ts";
import type { Lowering } from "./model_builder.ts";

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

/**
 * x [..,K], bias? [N] -> [..,N].
 *
 * ONNX Runtime can round x to 8 bits a group too (accuracy level 4) and is then two to three times as fast. For even
 * activations that doubles the error of 8-bit weights; with one large activation among small ones, as language models
 * and diffusion transformers have them, it was 5 to 14 times the error of the weights. So x stays as it is.
 */
export const lowerQuantizedLinear: Lowering<"quantizedLinear"> = (builder, op, [x, bias], output) => {
  const { weight } = op;
  const { bits, groupSize, groups, values, scales } = weight;
  const [n, k] = weight.shape;
  const rows = sizeOf(x.shape) / k;
  const inputs = [
    builder.factor(builder.reshape(x, [rows, k])),
    builder.constant("uint8", [n, groups, groupSize * bits / 8], values.data),
    builder.products === "f16"
      ? builder.constant("float16", [n * groups], toHalf(scales).data)
      : builder.constant("float", [n * groups], toFloat32(scales)),
    weight.zeroPoints ? builder.constant("uint8", ...packedZeroPoints(weight)) : "",
  ];
  if (bias) inputs.push("", builder.factor(bias.name));
  const product = builder.node("com.microsoft:MatMulNBits", inputs, { K: k, N: n, bits, block_size: groupSize });
  const name = builder.product(product);
  return builder.reshape({ name: applyActivation(builder, op.activation, name), shape: [rows, n] }, output);
};

/** Zero points have as many bits as the values; each row is padded to whole bytes. */
function packedZeroPoints({ bits, groups, shape: [n], zeroPoints }: QuantizedMatrix): [number[], Uint8Array] {
  const source = zeroPoints!.data;
  if (bits === 8) return [[n * groups], source];
  const width = Math.ceil(groups / 2);
  const packed = new Uint8Array(n * width);
  for (let row = 0; row < n; row++) {
    for (let group = 0; group < groups; group++) {
      packed[row * width + (group >> 1)] |= (source[row * groups + group] & 15) << (group % 2 * 4);
    }
  }
  return [[packed.length], packed];
}
