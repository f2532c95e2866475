/**
 * Convolutions (cross-correlations, as in every framework).
 *
 * @module
 */
import type { Value } from "../graph.ts";
import { formatShape, ShapeError } from "../shape.ts";
import { requireFloat } from "./elementwise.ts";

/** Zero padding of an image: top, left, bottom, right. */
export type ImagePadding = readonly [top: number, left: number, bottom: number, right: number];

/** Options of {@linkcode conv2d}. */
export interface Conv2dOptions {
  /** Rows, columns; default 1. */
  readonly stride?: readonly [number, number];
  /** Default none. */
  readonly pad?: ImagePadding;
}

/** Options of {@linkcode conv3d}. */
export interface Conv3dOptions {
  /** Frames, rows, columns; default 1. */
  readonly stride?: readonly [number, number, number];
  /** Of every frame; default none. Time is never padded: put the past in front with `concat`. */
  readonly pad?: ImagePadding;
}

/** x [N,C,H,W], weight [O,C,kh,kw], bias [O] -> [N,O,H',W']. */
export function conv2d(x: Value, weight: Value, bias?: Value, options: Conv2dOptions = {}): Value {
  const { stride = [1, 1], pad = [0, 0, 0, 0] } = options;
  check("conv2d", x, weight, bias, 4);
  const [n, , h, w] = x.shape;
  const [o, , kh, kw] = weight.shape;
  const shape = [
    n,
    o,
    reach("rows", h + pad[0] + pad[2], kh, stride[0]),
    reach("columns", w + pad[1] + pad[3], kw, stride[1]),
  ];
  return x.graph.push({ kind: "conv2d", stride, pad, bias: !!bias }, bias ? [x, weight, bias] : [x, weight], shape);
}

/** x [T,C,H,W], weight [O,C,kt,kh,kw], bias [O] -> [T',O,H',W'] with T' = floor((T - kt) / stride) + 1. */
export function conv3d(x: Value, weight: Value, bias?: Value, options: Conv3dOptions = {}): Value {
  const { stride = [1, 1, 1], pad = [0, 0, 0, 0] } = options;
  check("conv3d", x, weight, bias, 5);
  const [t, , h, w] = x.shape;
  const [o, , kt, kh, kw] = weight.shape;
  const shape = [
    reach("frames", t, kt, stride[0]),
    o,
    reach("rows", h + pad[0] + pad[2], kh, stride[1]),
    reach("columns", w + pad[1] + pad[3], kw, stride[2]),
  ];
  return x.graph.push({ kind: "conv3d", stride, pad, bias: !!bias }, bias ? [x, weight, bias] : [x, weight], shape);
}

function check(what: string, x: Value, weight: Value, bias: Value | undefined, rank: number): void {
  requireFloat(what, x);
  if (x.shape.length !== 4 || weight.shape.length !== rank || x.shape[1] !== weight.shape[1]) {
    throw new ShapeError(
      `Cannot apply ${what} with weight ${formatShape(weight.shape)} to ${formatShape(x.shape)}: ` +
        `the weight needs ${rank} axes and as many input channels as the second axis of the input`,
    );
  }
  if (bias && (bias.shape.length !== 1 || bias.shape[0] !== weight.shape[0])) {
    throw new ShapeError(`Cannot add bias ${formatShape(bias.shape)}: ${what} has ${weight.shape[0]} output channels`);
  }
}

function reach(what: string, size: number, kernel: number, stride: number): number {
  if (size < kernel) throw new ShapeError(`Cannot convolve: ${size} ${what} are fewer than the kernel's ${kernel}`);
  return Math.floor((size - kernel) / stride) + 1;
}
