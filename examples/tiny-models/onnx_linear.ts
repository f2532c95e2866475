/**
 * Linear layers of an ONNX model, in the ways that published models have them.
 *
 * @module
 */
import type { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { BLOCK, quantize4 } from "./quantize.ts";

/** How the weights of a model are kept. */
export type WeightFormat = "f32" | "q8" | "q4";

/** A matrix with a row for each output. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

/** Appends x · matrixᵀ and returns the name of the result. */
export function linear(builder: ModelBuilder, x: string, matrix: Matrix, format: WeightFormat): string {
  if (format === "q4") return linear4(builder, x, matrix);
  const { rows, columns } = matrix;
  const data = transpose(matrix);
  if (format === "f32") return builder.node("MatMul", [x, builder.constant("float", [columns, rows], data)]);
  return linear8(builder, x, data, rows, columns);
}

/** 4 bits in blocks, with the inputs rounded to 8 bits for the multiplication. */
function linear4(builder: ModelBuilder, x: string, { rows, columns, data }: Matrix): string {
  const { values, scales } = quantize4(data);
  const packed = new Uint8Array(values.length / 2);
  for (let i = 0; i < packed.length; i++) packed[i] = (values[2 * i] + 8) | ((values[2 * i + 1] + 8) << 4);
  const blocks = columns / BLOCK;
  const weights = [
    builder.constant("uint8", [rows, blocks, BLOCK / 2], packed),
    builder.constant("float", [rows * blocks], scales),
  ];
  const sizes = { K: columns, N: rows, bits: 4, block_size: BLOCK, accuracy_level: 4 };
  return builder.node("com.microsoft:MatMulNBits", [x, ...weights], sizes);
}

/** 8 bits with a scale for each output; the inputs are rounded as they come. */
function linear8(builder: ModelBuilder, x: string, data: Float32Array, rows: number, columns: number): string {
  const scales = new Float32Array(rows);
  const values = new Int8Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let i = row; i < data.length; i += rows) scales[row] = Math.max(scales[row], Math.abs(data[i]) / 127);
    for (let i = row; i < data.length; i += rows) values[i] = Math.round(data[i] / (scales[row] || 1));
  }
  const [inputs, scale, zero] = builder.nodes("DynamicQuantizeLinear", [x], [undefined, undefined, undefined]);
  const weights = builder.constant("int8", [columns, rows], values);
  const zeros = builder.constant("int8", [rows], new Int8Array(rows));
  const product = builder.node("MatMulInteger", [inputs, weights, zero, zeros]);
  const factor = builder.node("Mul", [scale, builder.constant("float", [rows], scales)]);
  return builder.node("Mul", [builder.node("Cast", [product], { to: 1 }), factor]);
}

function transpose({ rows, columns, data }: Matrix): Float32Array {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column];
  }
  return turned;
}
