/**
 * Normalisations, softmax and reductions.
 *
 * @module
 */
import type { Value } from "../graph.ts";
import type { ReduceFunction } from "../op.ts";
import { formatShape, resolveAxis, ShapeError } from "../shape.ts";
import { add, mul, requireFloat } from "./elementwise.ts";
import { reshape } from "./layout.ts";

/** Options of {@linkcode rmsNorm}. */
interface RmsNormOptions {
  /** Default the last. */
  readonly axis?: number;
  /** Default 1e-6. */
  readonly eps?: number;
}

/**
 * Root-mean-square norm (Zhang and Sennrich 2019): x * rsqrt(mean(x^2) + eps) * weight, over one axis of n elements
 * with weight [n]. With `axis` 1 and a vanishing eps it is the channel norm x / |x| * sqrt(C) of video autoencoders.
 */
export function rmsNorm(x: Value, weight?: Value, options: RmsNormOptions = {}): Value {
  requireFloat("rmsNorm", x);
  const axis = resolveAxis("apply rmsNorm", x.shape, options.axis ?? -1);
  vector("rmsNorm", weight, x.shape[axis]);
  return x.graph.push(
    { kind: "rmsNorm", axis, eps: options.eps ?? 1e-6, weight: !!weight },
    weight ? [x, weight] : [x],
    x.shape,
  );
}

/** Layer norm (Ba et al. 2016) over the last axis: (x - mean) / sqrt(variance + eps) * weight + bias. */
export function layerNorm(x: Value, weight?: Value, bias?: Value, eps = 1e-6): Value {
  requireFloat("layerNorm", x);
  const n = x.shape[resolveAxis("apply layerNorm", x.shape, -1)];
  vector("layerNorm", weight, n);
  vector("layerNorm", bias, n);
  if (bias && !weight) throw new ShapeError("Cannot apply layerNorm: a bias needs a weight");
  const inputs = [x, ...(weight ? [weight] : []), ...(bias ? [bias] : [])];
  return x.graph.push({ kind: "layerNorm", eps, weight: !!weight, bias: !!bias }, inputs, x.shape);
}

/**
 * Group norm (Wu and He 2018): of every image, the channels of a group are normalised together over all pixels, then
 * multiplied by weight and shifted by bias, one number a channel.
 *
 * Shapes: x [N,C,..], weight and bias [C], C a multiple of groups -> same as x.
 */
export function groupNorm(x: Value, groups: number, weight: Value, bias: Value, eps = 1e-6): Value {
  requireFloat("groupNorm", x);
  const [images, channels, ...pixels] = x.shape;
  if (x.shape.length < 2 || !Number.isInteger(groups) || groups < 1 || channels % groups !== 0) {
    throw new ShapeError(
      `Cannot apply groupNorm with ${groups} groups to ${formatShape(x.shape)}: ` +
        `expected [N,C,..] with C a multiple of the groups`,
    );
  }
  for (const parameter of [weight, bias]) vector("groupNorm", parameter, channels);
  const normal = layerNorm(reshape(x, [images * groups, -1]), undefined, undefined, eps);
  const column = [channels, ...pixels.map(() => 1)];
  return add(mul(reshape(normal, x.shape), reshape(weight, column)), reshape(bias, column));
}

/** e^x / sum(e^x) along the last axis. */
export function softmax(x: Value): Value {
  requireFloat("softmax", x);
  resolveAxis("apply softmax", x.shape, -1);
  return x.graph.push({ kind: "softmax" }, [x], x.shape);
}

function vector(what: string, v: Value | undefined, n: number): void {
  if (v && (v.shape.length !== 1 || v.shape[0] !== n)) {
    throw new ShapeError(`Cannot apply ${what}: parameter ${formatShape(v.shape)} does not match an axis of ${n}`);
  }
}

function reduce(fn: ReduceFunction, x: Value, axes: readonly number[]): Value {
  requireFloat(fn, x);
  if (axes.length === 0) throw new ShapeError(`Cannot reduce by ${fn}: no axes were given`);
  const sorted = [...new Set(axes.map((a) => resolveAxis(`reduce by ${fn}`, x.shape, a)))].sort((a, b) => a - b);
  return x.graph.push({ kind: "reduce", fn, axes: sorted }, [x], x.shape.map((d, i) => (sorted.includes(i) ? 1 : d)));
}

/** Sum along axes. */
export function reduceSum(x: Value, axes: readonly number[]): Value {
  return reduce("sum", x, axes);
}
/** Mean along axes. */
export function reduceMean(x: Value, axes: readonly number[]): Value {
  return reduce("mean", x, axes);
}
/** Largest element along axes. */
export function reduceMax(x: Value, axes: readonly number[]): Value {
  return reduce("max", x, axes);
}
/** Smallest element along axes. */
export function reduceMin(x: Value, axes: readonly number[]): Value {
  return reduce("min", x, axes);
}
