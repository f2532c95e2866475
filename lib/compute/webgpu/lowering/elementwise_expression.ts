/**
 * WGSL expressions of elementwise operators, over the types V (floats) and I (integers) of
 * `kernels-wgsl/elementwise.wgsl`.
 *
 * @module
 */
import type { GraphNode } from "../../tensor/graph.ts";
import type { BinaryFunction, UnaryFunction } from "../../tensor/op.ts";

const unary: Readonly<Record<UnaryFunction, (x: string) => string>> = {
  neg: (x) => `-${x}`,
  abs: (x) => `abs(${x})`,
  exp: (x) => `exp(${x})`,
  log: (x) => `log(${x})`,
  sqrt: (x) => `sqrt(${x})`,
  rsqrt: (x) => `1.0 / sqrt(${x})`,
  reciprocal: (x) => `1.0 / ${x}`,
  square: (x) => `${x} * ${x}`,
  sin: (x) => `sinOf(${x})`,
  cos: (x) => `cosOf(${x})`,
  tanh: (x) => `tanhOf(${x})`,
  sigmoid: (x) => `sigmoidOf(${x})`,
  relu: (x) => `max(${x}, V(0.0))`,
  silu: (x) => `siluOf(${x})`,
  gelu: (x) => `geluOf(${x})`,
  geluErf: (x) => `geluErfOf(${x})`,
};

const binary: Readonly<Record<BinaryFunction, (a: string, b: string) => string>> = {
  add: (a, b) => `${a} + ${b}`,
  sub: (a, b) => `${a} - ${b}`,
  mul: (a, b) => `${a} * ${b}`,
  div: (a, b) => `${a} / ${b}`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
};

/**
 * The right side of a node's `let`.
 *
 * @param args names of the arguments
 * @param limits names of the bounds of a clamp
 */
export function elementwiseExpression(
  node: GraphNode,
  args: readonly string[],
  limits: () => [string, string],
): string {
  const { op } = node;
  switch (op.kind) {
    case "unary":
      return unary[op.fn](args[0]);
    case "binary":
      return binary[op.fn](args[0], args[1]);
    case "clamp": {
      const [low, high] = limits();
      return `min(max(${args[0]}, ${low}), ${high})`;
    }
    case "cast":
      return op.to === "int" ? `I(${args[0]})` : `V(${args[0]})`;
    default:
      throw new Error(`Cannot write ${op.kind} as an expression: it is not elementwise`);
  }
}
