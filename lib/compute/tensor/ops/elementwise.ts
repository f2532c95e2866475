/**
 * Elementwise operators. Numbers given in place of a value become scalar constants.
 *
 * @module
 */
import type { Graph, Value } from "../graph.ts";
import type { BinaryFunction, UnaryFunction } from "../op.ts";
import { broadcastShapes, ShapeError } from "../shape.ts";
import { f32 } from "../tensor.ts";

function unary(fn: UnaryFunction, x: Value): Value {
  requireFloat(fn, x);
  return x.graph.push({ kind: "unary", fn }, [x], x.shape);
}

function binary(fn: BinaryFunction, a: Value | number, b: Value | number): Value {
  const graph = typeof a === "number" ? (b as Value).graph : a.graph;
  if (!graph) throw new ShapeError(`Cannot apply ${fn}: one argument must be a value of a graph`);
  const x = operand(graph, a);
  const y = operand(graph, b);
  requireFloat(fn, x);
  requireFloat(fn, y);
  return graph.push({ kind: "binary", fn }, [x, y], broadcastShapes(`apply ${fn}`, x.shape, y.shape));
}

function operand(graph: Graph, v: Value | number): Value {
  return typeof v === "number" ? graph.constant(f32([], [v])) : v;
}

/** Throws unless the value holds floats. */
export function requireFloat(what: string, x: Value): void {
  if (x.type !== "float") throw new ShapeError(`Cannot apply ${what}: it takes floats, the value holds integers`);
}

/** -x */
export function neg(x: Value): Value {
  return unary("neg", x);
}
/** |x| */
export function abs(x: Value): Value {
  return unary("abs", x);
}
/** e^x */
export function exp(x: Value): Value {
  return unary("exp", x);
}
/** Natural logarithm. */
export function log(x: Value): Value {
  return unary("log", x);
}
/** Square root. */
export function sqrt(x: Value): Value {
  return unary("sqrt", x);
}
/** 1 / sqrt(x) */
export function rsqrt(x: Value): Value {
  return unary("rsqrt", x);
}
/** 1 / x */
export function reciprocal(x: Value): Value {
  return unary("reciprocal", x);
}
/** x * x */
export function square(x: Value): Value {
  return unary("square", x);
}
/** Sine of radians. */
export function sin(x: Value): Value {
  return unary("sin", x);
}
/** Cosine of radians. */
export function cos(x: Value): Value {
  return unary("cos", x);
}
/** Hyperbolic tangent. */
export function tanh(x: Value): Value {
  return unary("tanh", x);
}
/** 1 / (1 + e^-x) */
export function sigmoid(x: Value): Value {
  return unary("sigmoid", x);
}
/** max(x, 0) */
export function relu(x: Value): Value {
  return unary("relu", x);
}
/** x * sigmoid(x) (Elfwing et al. 2017). */
export function silu(x: Value): Value {
  return unary("silu", x);
}
/** Tanh approximation of GELU (Hendrycks and Gimpel 2016, section 2). */
export function gelu(x: Value): Value {
  return unary("gelu", x);
}
/** Exact GELU with the error function (Hendrycks and Gimpel 2016). */
export function geluErf(x: Value): Value {
  return unary("geluErf", x);
}

/** a + b, broadcast. */
export function add(a: Value | number, b: Value | number): Value {
  return binary("add", a, b);
}
/** a - b, broadcast. */
export function sub(a: Value | number, b: Value | number): Value {
  return binary("sub", a, b);
}
/** a * b, broadcast. */
export function mul(a: Value | number, b: Value | number): Value {
  return binary("mul", a, b);
}
/** a / b, broadcast. */
export function div(a: Value | number, b: Value | number): Value {
  return binary("div", a, b);
}
/** The smaller of both, broadcast. */
export function min(a: Value | number, b: Value | number): Value {
  return binary("min", a, b);
}
/** The larger of both, broadcast. */
export function max(a: Value | number, b: Value | number): Value {
  return binary("max", a, b);
}

/** Limits every element to [low, high]. */
export function clamp(x: Value, low: number, high: number): Value {
  requireFloat("clamp", x);
  if (!(low <= high)) throw new ShapeError(`Cannot apply clamp: low ${low} is above high ${high}`);
  return x.graph.push({ kind: "clamp", min: low, max: high }, [x], x.shape);
}

/** Floats to integers (towards zero) or integers to floats. */
export function cast(x: Value, to: "float" | "int"): Value {
  return x.type === to ? x : x.graph.push({ kind: "cast", to }, [x], x.shape, to);
}
