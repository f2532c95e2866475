import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  attention,
  concat,
  conv2d,
  conv3d,
  f32,
  gelu,
  geluErf,
  Graph,
  layerNorm,
  linear,
  matmul,
  mul,
  reduceMean,
  rmsNorm,
  type Shape,
  silu,
  sizeOf,
  softmax,
  square,
  sub,
  tanh,
  type Tensor,
  type Value,
} from "../../../lib/compute/tensor/mod.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const device = await openTestDevice("f16");
const skip = typeof device === "string" ? device : false;
after(() => {
  if (typeof device !== "string") device.dispose();
});

/** Positive numbers up to `largest`, multiples of 32: 16 bits hold them exactly up to 65504. */
function large(shape: Shape, largest: number, seed: number): Tensor {
  const random = seededRandom(seed);
  return f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => 32 * Math.round(random() * largest / 32)));
}

/** Weights of 1 for the first half of an axis and -1 for the second, and once more 1 for its first element. */
function halves(shape: Shape, axis: number): Tensor {
  const inner = sizeOf(shape.slice(axis + 1));
  const at = (i: number) => Math.floor(i / inner) % shape[axis];
  return f32(
    shape,
    Float32Array.from({ length: sizeOf(shape) }, (_, i) => at(i) === 0 ? 2 : at(i) < shape[axis] / 2 ? 1 : -1),
  );
}

type Build = (x: (shape: Shape, largest: number) => Value, g: Graph) => Value;

/** The same numbers twice along an axis: sums of products with `halves` grow far beyond 65504 and become small again. */
const twice = (x: Value, axis: number) => concat([x, x], axis);

/** Results are numbers of 16 bits, though numbers on the way pass 65504. */
const cases: Readonly<Record<string, Build>> = {
  "squares of an RMS norm": (x) => rmsNorm(x([3, 640], 60000)),
  "squares of an RMS norm along an inner axis": (x) => rmsNorm(x([3, 64, 5, 7], 60000), undefined, { axis: 1 }),
  "squares of a layer norm": (x) => layerNorm(x([3, 640], 60000)),
  "the sum of a mean": (x) => reduceMean(x([3, 2048], 60000), [1]),
  "differences of a softmax": (x) => softmax(sub(x([5, 96], 60000), 60000)),
  "logits of an attention": (x) => attention(x([33, 2, 64], 2000), x([70, 2, 64], 2000), x([70, 2, 64], 4000)),
  "logits of an attention with few keys": (x) => attention(x([3, 1, 8], 2000), x([2, 1, 8], 2000), x([2, 1, 8], 4000)),
  "sums of a product": (x, g) => matmul(twice(x([5, 256], 16000), 1), g.constant(halves([512, 24], 0))),
  "sums of a product in tiles": (x, g) => matmul(twice(x([256, 256], 16000), 1), g.constant(halves([512, 256], 0))),
  "sums of a product of one row": (x, g) => linear(twice(x([1, 256], 16000), 1), g.constant(halves([24, 512], 1))),
  "sums of a convolution": (x, g) => conv2d(twice(x([1, 32, 9, 9], 2000), 1), g.constant(halves([32, 64, 3, 3], 1))),
  "sums of a convolution over time": (x, g) =>
    conv3d(twice(x([3, 16, 9, 9], 1000), 1), g.constant(halves([32, 32, 3, 3, 3], 1))),
  "powers inside gelu": (x) => gelu(sub(x([4, 64], 60000), 30000)),
  "powers inside geluErf": (x) => geluErf(sub(x([4, 64], 60000), 30000)),
  "powers inside silu": (x) => silu(sub(x([4, 64], 60000), 30000)),
  "powers inside tanh": (x) => tanh(sub(x([4, 64], 60000), 30000)),
  "a square that is made smaller at once": (x) => mul(square(x([4, 64], 2000)), 2 ** -8),
};

for (const [name, build] of skip ? [] : Object.entries(cases)) {
  test(`openWebGpuDevice() keeps ${name} in 32 bits where floats have 16`, async () => {
    assert.ok(typeof device !== "string");
    const graph = new Graph();
    const feeds: Record<string, Tensor> = {};
    const input = (shape: Shape, largest: number) => {
      const number = Object.keys(feeds).length;
      feeds[`x${number}`] = large(shape, largest, number + 1);
      return graph.input(`x${number}`, shape);
    };
    graph.output("y", build(input, graph));
    const program = await device.compile(graph);
    const { y } = await program.run(feeds);
    assertClose((await y.read()).data, evaluate(graph, feeds).y.data, 4e-3);
    y.release();
    program.dispose();
  });
}
