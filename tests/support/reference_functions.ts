/**
 * The elementwise functions in 64-bit floats.
 *
 * @module
 */
import type { BinaryFunction, UnaryFunction } from "../../lib/compute/tensor/op.ts";

/** Functions of one argument. */
export const unaryFunctions: Readonly<Record<UnaryFunction, (x: number) => number>> = {
  neg: (x) => -x,
  abs: Math.abs,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  reciprocal: (x) => 1 / x,
  square: (x) => x * x,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  relu: (x) => Math.max(x, 0),
  silu: (x) => x / (1 + Math.exp(-x)),
  gelu: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  geluErf: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
};

/** Functions of two arguments. */
export const binaryFunctions: Readonly<Record<BinaryFunction, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
};

/** Error function by its Maclaurin series, exact enough where |x| < 5 (Abramowitz and Stegun 7.1.5). */
function erf(x: number): number {
  if (Math.abs(x) >= 5) return Math.sign(x);
  let power = x;
  let sum = x;
  for (let n = 1; n < 150; n++) {
    power *= -x * x / n;
    sum += power / (2 * n + 1);
  }
  return 2 / Math.sqrt(Math.PI) * sum;
}
