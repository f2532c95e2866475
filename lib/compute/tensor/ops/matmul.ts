/**
 * Matrix products.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import type { Activation } from "../op.ts";
import type { QuantizedMatrix } from "../quantized_matrix.ts";
import { broadcastShapes, formatShape, ShapeError } from "../shape.ts";
import { requireFloat } from "./elementwise.ts";

/** Options of a matrix product. */
export interface MatmulOptions {
  /** `b` is given as [..,N,K]. */
  readonly transposeB?: boolean;
  /** [N], added to every row. */
  readonly bias?: Value | undefined;
  /** Applied last. */
  readonly activation?: Activation;
}

/** a [..,M,K] times b [..,K,N] -> [..,M,N]; leading axes broadcast. */
export function matmul(a: Value, b: Value, options: MatmulOptions = {}): Value {
  const { transposeB = false, bias, activation } = options;
  requireFloat("matmul", a);
  requireFloat("matmul", b);
  if (a.shape.length < 2 || b.shape.length < 2) {
    throw new ShapeError(
      `Cannot multiply ${formatShape(a.shape)} by ${formatShape(b.shape)}: both need at least two axes`,
    );
  }
  const [m, k] = a.shape.slice(-2);
  const [p, q] = b.shape.slice(-2);
  const [k2, n] = transposeB ? [q, p] : [p, q];
  if (k !== k2) {
    const how = transposeB ? " transposed" : "";
    throw new ShapeError(
      `Cannot multiply ${formatShape(a.shape)} by ${formatShape(b.shape)}${how}: inner sizes ${k} and ${k2} differ`,
    );
  }
  if (bias && (bias.shape.length !== 1 || bias.shape[0] !== n)) {
    throw new ShapeError(`Cannot add bias ${formatShape(bias.shape)}: the product has ${n} columns`);
  }
  const lead = broadcastShapes("multiply", a.shape.slice(0, -2), b.shape.slice(0, -2));
  return a.graph.push(
    { kind: "matmul", transposeB, bias: !!bias, ...(activation && { activation }) },
    bias ? [a, b, bias] : [a, b],
    [...lead, m, n],
  );
}

/** x [..,K] through a layer with weight [N,K] and bias [N] -> [..,N]. */
export function linear(x: Value, weight: Value, bias?: Value, activation?: Activation): Value {
  return matmul(x, weight, { transposeB: true, bias, ...(activation && { activation }) });
}

/**
 * x [..,K] through a layer with a quantised weight [N,K] and bias [N] -> [..,N]. The weight is taken apart while it is
 * multiplied; the product is that of x with the dequantised weight, in 32-bit floats.
 */
export function quantizedLinear(x: Value, weight: QuantizedMatrix, bias?: Value, activation?: Activation): Value {
  requireFloat("quantizedLinear", x);
  const [n, k] = weight.shape;
  if (x.shape.length < 2 || x.shape.at(-1) !== k) {
    throw new ShapeError(
      `Cannot multiply ${formatShape(x.shape)} by a quantised weight ${formatShape(weight.shape)}: ` +
        `expected [..,M,${k}]`,
    );
  }
  if (bias && (bias.shape.length !== 1 || bias.shape[0] !== n)) {
    throw new ShapeError(`Cannot add bias ${formatShape(bias.shape)}: the product has ${n} columns`);
  }
  return x.graph.push(
    { kind: "quantizedLinear", weight, bias: !!bias, ...(activation && { activation }) },
    bias ? [x, bias] : [x],
    [...x.shape.slice(0, -1), n],
  );
}
