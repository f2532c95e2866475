/**
 * The operators a world model spends its time in, at the shapes of a small and of a large world.
 *
 * @module
 */
import {
  attention,
  conv2d,
  conv3d,
  f32,
  Graph,
  layerNorm,
  linear,
  quantize,
  quantizedLinear,
  rmsNorm,
  silu,
  type Tensor,
  toHalf,
} from "../../lib/compute/tensor/mod.ts";

/** One operator at one shape. */
export interface OperatorCase {
  readonly name: string;
  /** Floating point operations of one run, two for a multiply-add. */
  readonly operations: number;
  readonly graph: Graph;
  readonly feeds: Record<string, Tensor>;
}

/** Values that do not compress or vanish: a fixed linear congruential sequence in [-0.5, 0.5). */
function numbers(shape: readonly number[]): Tensor<"f32"> {
  const data = new Float32Array(shape.reduce((n, d) => n * d, 1));
  let state = 12345;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state / 2 ** 32 - 0.5;
  }
  return f32(shape, data);
}

function make(
  name: string,
  operations: number,
  shapes: Record<string, readonly number[]>,
  build: (g: Graph, inputs: Record<string, ReturnType<Graph["input"]>>) => ReturnType<Graph["input"]>,
): OperatorCase {
  const graph = new Graph();
  const inputs = Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, graph.input(key, shape)]));
  graph.output("y", build(graph, inputs));
  return {
    name,
    operations,
    graph,
    feeds: Object.fromEntries(Object.entries(shapes).map(([k, s]) => [k, numbers(s)])),
  };
}

/** All cases, small ones first. */
export function operatorCases(): OperatorCase[] {
  const matmul = (m: number, k: number, n: number) =>
    make(
      `linear ${m}x${k} -> ${n}`,
      2 * m * k * n,
      { x: [m, k] },
      (g, { x }) => linear(x, g.constant(numbers([n, k])), g.constant(numbers([n]))),
    );
  const halfMatmul = (m: number, k: number, n: number) =>
    make(
      `linear ${m}x${k} -> ${n}, 16-bit weights`,
      2 * m * k * n,
      { x: [m, k] },
      (g, { x }) => linear(x, g.constant(toHalf(numbers([n, k])))),
    );
  const quantized = (m: number, k: number, n: number, bits: 4 | 8) =>
    make(
      `linear ${m}x${k} -> ${n}, ${bits}-bit weights`,
      2 * m * k * n,
      { x: [m, k] },
      (_, { x }) => quantizedLinear(x, quantize(numbers([n, k]), { bits })),
    );
  const heads = (q: number, k: number, h: number, d: number) =>
    make(
      `attention ${q}x${k}, ${h} heads of ${d}`,
      4 * q * k * h * d,
      { q: [q, h, d], k: [k, h, d], v: [k, h, d] },
      (_, i) => attention(i.q, i.k, i.v),
    );
  const image = (c: number, h: number, w: number) =>
    make(
      `conv2d 3x3, ${c} ch, ${h}x${w}`,
      18 * c * c * h * w,
      { x: [1, c, h, w] },
      (g, { x }) => conv2d(x, g.constant(numbers([c, c, 3, 3])), g.constant(numbers([c])), { pad: [1, 1, 1, 1] }),
    );
  const video = (c: number, t: number, h: number, w: number) =>
    make(
      `conv3d 3x3x3, ${c} ch, ${t}x${h}x${w}`,
      54 * c * c * t * h * w,
      { x: [t + 2, c, h, w] },
      (g, { x }) => conv3d(x, g.constant(numbers([c, c, 3, 3, 3])), g.constant(numbers([c])), { pad: [1, 1, 1, 1] }),
    );
  return [
    matmul(18, 192, 512),
    matmul(512, 512, 512),
    matmul(480, 3072, 3072),
    halfMatmul(480, 3072, 3072),
    quantized(480, 1024, 1024, 8),
    quantized(480, 1024, 1024, 4),
    heads(18, 72, 6, 32),
    heads(480, 1920, 8, 128),
    image(64, 64, 64),
    video(24, 12, 32, 48),
    video(64, 12, 32, 32),
    video(1024, 1, 20, 32), // the decoder of a 5B world, one latent of 512x320
    make(
      "rmsNorm over channels + silu, 24x12x32x48",
      6 * 24 * 12 * 32 * 48,
      { x: [12, 24, 32, 48] },
      (g, { x }) => silu(rmsNorm(x, g.constant(numbers([24])), { axis: 1 })),
    ),
    make("layerNorm 480x3072", 8 * 480 * 3072, { x: [480, 3072] }, (_, { x }) => layerNorm(x)),
  ];
}
