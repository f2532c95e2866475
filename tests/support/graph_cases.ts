/**
 * Programs of one operation or a few, for the same inputs on several devices.
 *
 * @module
 */
import {
  concat,
  conv2d,
  conv3d,
  type Device,
  f32,
  Graph,
  linear,
  matmul,
  quantize,
  quantizedLinear,
  type Shape,
  sizeOf,
  type Tensor,
  type TensorData,
  upsample,
  type Value,
} from "../../lib/compute/tensor/mod.ts";
import { seededRandom } from "./random.ts";

/** What is computed, and the shapes of what it is fed. */
export interface GraphCase {
  readonly shapes: readonly Shape[];
  readonly build: (inputs: Value[]) => Value;
}

/** A constant matrix. */
export function waves(rows: number, columns: number): Tensor {
  return f32([rows, columns], Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i)));
}

/** Products and convolutions that tiles are filled for, at sizes that are not multiples of theirs. */
export const products: Readonly<Record<string, GraphCase>> = {
  "a batch of products": { shapes: [[12, 130, 20], [12, 20, 132]], build: ([a, b]) => matmul(a, b) },
  "a linear layer with bias and activation": {
    shapes: [[129, 24], [3076, 24], [3076]],
    build: ([x, w, b]) => linear(x, w, b, "silu"),
  },
  "a product at odd sizes": { shapes: [[131, 19], [3001, 19]], build: ([x, w]) => linear(x, w) },
  "a quantised layer at odd sizes": {
    shapes: [[131, 45]],
    build: ([x]) => quantizedLinear(x, quantize(waves(3001, 45), { bits: 4, groupSize: 16 })),
  },
  "a convolution of images enlarged twice, phase by phase": {
    shapes: [[12, 20, 13, 11], [68]],
    build: ([x, b]) => {
      const weight = { ...waves(68, 180), shape: [68, 20, 3, 3] };
      return conv2d(upsample(x, 2), x.graph.constant(weight), b, { pad: [1, 1, 1, 1] });
    },
  },
  "a strided convolution of frames after a past at odd sizes": {
    shapes: [[19, 5, 9, 11], [31, 5, 9, 11], [67, 5, 3, 3, 3]],
    build: ([past, x, w]) => conv3d(concat([past, x], 0), w, undefined, { stride: [1, 2, 2], pad: [0, 1, 1, 0] }),
  },
};

/** What each device computes for the same seeded inputs between -1 and 1. */
export async function computed(devices: readonly Device[], { shapes, build }: GraphCase): Promise<TensorData[]> {
  const random = seededRandom(7);
  const graph = new Graph();
  const feeds: Record<string, Tensor> = {};
  const inputs = shapes.map((shape, i) => {
    feeds[`x${i}`] = f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => 2 * random() - 1));
    return graph.input(`x${i}`, shape);
  });
  graph.output("y", build(inputs));
  return await Promise.all(devices.map(async (device) => {
    const program = await device.compile(graph);
    const { y } = await program.run(feeds);
    const { data } = await y.read();
    y.release();
    program.dispose();
    return data;
  }));
}
