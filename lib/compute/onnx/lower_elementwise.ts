/**
 * Elementwise operators.
 *
 * @module
 */
import type { Activation, BinaryFunction, UnaryFunction } from "../tensor/op.ts";
import type { Lowering, ModelBuilder } from "./model_builder.ts";

const unaryTypes = {
  neg: "Neg",
  abs: "Abs",
  exp: "Exp",
  log: "Log",
  sqrt: "Sqrt",
  reciprocal: "Reciprocal",
  sin: "Sin",
  cos: "Cos",
  tanh: "Tanh",
  sigmoid: "Sigmoid",
  relu: "Relu",
} as const satisfies Partial<Record<UnaryFunction, string>>;

const binaryTypes = {
  add: "Add",
  sub: "Sub",
  mul: "Mul",
  div: "Div",
  min: "Min",
  max: "Max",
} as const satisfies Record<BinaryFunction, string>;

/** One function of one argument. */
export function applyUnary(builder: ModelBuilder, fn: UnaryFunction, x: string): string {
  switch (fn) {
    case "rsqrt":
      return builder.node("Reciprocal", [builder.node("Sqrt", [x])]);
    case "square":
      return builder.node("Mul", [x, x]);
    case "silu":
    case "gelu":
    case "geluErf":
      return applyActivation(builder, fn, x);
    default:
      return builder.node(unaryTypes[fn], [x]);
  }
}

/** An activation, or nothing when there is none. */
export function applyActivation(builder: ModelBuilder, fn: Activation | undefined, x: string): string {
  switch (fn) {
    case undefined:
      return x;
    case "relu":
      return builder.node("Relu", [x]);
    case "silu":
      // x * sigmoid(alpha x) in one pass over memory, where Sigmoid and Mul would take two.
      return builder.node("com.microsoft:QuickGelu", [x], { alpha: { float: 1 } });
    case "gelu":
      return builder.node("Gelu", [x], { approximate: "tanh" });
    case "geluErf":
      return builder.node("Gelu", [x]);
  }
}

/** x -> same shape */
export const lowerUnary: Lowering<"unary"> = (builder, op, [x]) => applyUnary(builder, op.fn, x.name);

/** a, b -> broadcast shape */
export const lowerBinary: Lowering<"binary"> = (builder, op, [a, b]) =>
  builder.node(binaryTypes[op.fn], [a.name, b.name]);

/** x -> same shape */
export const lowerClamp: Lowering<"clamp"> = (builder, op, [x]) =>
  builder.node("Clip", [x.name, builder.scalar(op.min), builder.scalar(op.max)]);

/** Floats to integers truncate towards zero, as ONNX defines Cast. */
export const lowerCast: Lowering<"cast"> = (builder, op, [x]) =>
  builder.node("Cast", [x.name], { to: op.to === "float" ? 1 : 6 });
