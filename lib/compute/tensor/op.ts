/**
 * Every operator with its attributes. The functions of `ops/` create them, the devices lower them.
 * Layouts: row-major; images and video frame-major `[N,C,H,W]` / `[T,C,H,W]`; heads as `[tokens,heads,channels]`.
 *
 * @module
 */
import type { QuantizedMatrix } from "./quantized_matrix.ts";
import type { Shape } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/** One operator and its attributes. The comment names the inputs and the output shape. */
export type Op =
  | { readonly kind: "input"; readonly name: string }
  | { readonly kind: "constant"; readonly tensor: Tensor }
  /** x -> same shape, elementwise; `gelu` is the tanh approximation, `geluErf` the exact form */
  | {
    readonly kind: "unary";
    readonly fn:
      | "neg"
      | "abs"
      | "exp"
      | "log"
      | "sqrt"
      | "rsqrt"
      | "reciprocal"
      | "square"
      | "sin"
      | "cos"
      | "tanh"
      | "sigmoid"
      | "relu"
      | "silu"
      | "gelu"
      | "geluErf";
  }
  /** a, b -> broadcast shape, elementwise */
  | { readonly kind: "binary"; readonly fn: "add" | "sub" | "mul" | "div" | "min" | "max" }
  /** x -> same shape */
  | { readonly kind: "clamp"; readonly min: number; readonly max: number }
  /** x -> same shape, other type */
  | { readonly kind: "cast"; readonly to: "float" | "int" }
  /** a [..,M,K], b [..,K,N] (or [..,N,K] when transposeB), bias? [N] -> [..,M,N]; leading axes broadcast */
  | {
    readonly kind: "matmul";
    readonly transposeB: boolean;
    readonly bias: boolean;
    readonly activation?: "relu" | "silu" | "gelu" | "geluErf";
  }
  /** x [..,K], bias? [N] -> [..,N]; the weight [N,K] is part of the operator and never computed */
  | {
    readonly kind: "quantizedLinear";
    readonly weight: QuantizedMatrix;
    readonly bias: boolean;
    readonly activation?: "relu" | "silu" | "gelu" | "geluErf";
  }
  /**
   * q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv], bias? broadcastable to [B?,H,Lq,Lk] -> [B?,Lq,H,Dv];
   * softmax(scale * q k^T + bias) v
   */
  | { readonly kind: "attention"; readonly scale: number; readonly bias: boolean }
  /** x [N,C,H,W], w [O,C,kh,kw], bias? [O] -> [N,O,H',W']; pad is top, left, bottom, right */
  | {
    readonly kind: "conv2d";
    readonly stride: readonly [number, number];
    readonly pad: readonly [number, number, number, number];
    readonly bias: boolean;
  }
  /** x [T,C,H,W], w [O,C,kt,kh,kw], bias? [O] -> [T',O,H',W']; no padding in time, pad is top, left, bottom, right */
  | {
    readonly kind: "conv3d";
    readonly stride: readonly [number, number, number];
    readonly pad: readonly [number, number, number, number];
    readonly bias: boolean;
  }
  /** x, weight? [n] of the axis -> same shape; x * rsqrt(mean(x^2 along axis) + eps) * weight */
  | { readonly kind: "rmsNorm"; readonly axis: number; readonly eps: number; readonly weight: boolean }
  /** x, weight? [n], bias? [n] -> same shape, over the last axis; bias only with weight */
  | { readonly kind: "layerNorm"; readonly eps: number; readonly weight: boolean; readonly bias: boolean }
  /** x -> same shape, along the last axis */
  | { readonly kind: "softmax" }
  /** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D]; rotates the pairs (2j, 2j+1), or (j, j + D/2) for halves */
  | { readonly kind: "rope"; readonly pairs: "neighbours" | "halves" }
  | { readonly kind: "reshape" }
  | { readonly kind: "transpose"; readonly permutation: readonly number[] }
  /** x -> elements start, start + step, .. below end on every axis */
  | {
    readonly kind: "slice";
    readonly starts: readonly number[];
    readonly ends: readonly number[];
    readonly steps: readonly number[];
  }
  | { readonly kind: "concat"; readonly axis: number }
  /** x -> zeros before and after every axis */
  | { readonly kind: "pad"; readonly before: readonly number[]; readonly after: readonly number[] }
  /** x, indices (int, any shape) -> x.shape with `axis` replaced by the shape of the indices */
  | { readonly kind: "gather"; readonly axis: number }
  | { readonly kind: "broadcast"; readonly shape: Shape }
  /** x [..,H,W] -> [..,H*scale,W*scale], every element repeated */
  | { readonly kind: "upsample"; readonly scale: number }
  /** x -> the axes become 1 */
  | { readonly kind: "reduce"; readonly fn: "sum" | "mean" | "max" | "min"; readonly axes: readonly number[] };

/** The name of an operator. */
export type OpKind = Op["kind"];

/** An operator by its name. */
export type OpOf<K extends OpKind> = Extract<Op, { kind: K }>;

/** Elementwise functions of one argument. */
export type UnaryFunction = OpOf<"unary">["fn"];

/** Elementwise functions of two arguments. */
export type BinaryFunction = OpOf<"binary">["fn"];

/** An activation that a matrix product or convolution can apply to its result. */
export type Activation = NonNullable<OpOf<"matmul">["activation"]>;

/** Reductions along axes. */
export type ReduceFunction = OpOf<"reduce">["fn"];
