import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph, type Value } from "../../../lib/compute/tensor/graph.ts";
import { add, mul, relu, silu, tanh } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { conv2d, conv3d } from "../../../lib/compute/tensor/ops/conv.ts";
import {
  broadcastTo,
  concat,
  pad,
  reshape,
  slice,
  transpose,
  upsample,
} from "../../../lib/compute/tensor/ops/layout.ts";
import { linear, matmul, quantizedLinear } from "../../../lib/compute/tensor/ops/matmul.ts";
import { quantize } from "../../../lib/compute/tensor/quantized_matrix.ts";
import { layerNorm, rmsNorm, softmax } from "../../../lib/compute/tensor/ops/norm.ts";
import { f32 } from "../../../lib/compute/tensor/tensor.ts";
import type { GpuLimits } from "../../../lib/compute/webgpu/gpu_context.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { planScratch } from "../../../lib/compute/webgpu/plan_program.ts";

const limits: GpuLimits = {
  maxStorageBufferBindingSize: 2 ** 27,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupsPerDimension: 65535,
  minStorageBufferOffsetAlignment: 256,
  minUniformBufferOffsetAlignment: 256,
};

/** What the dispatches of a graph compute, in order. */
function stepsOf(build: (g: Graph) => Value | Value[]): string[] {
  const graph = new Graph();
  [build(graph)].flat().forEach((value, i) => graph.output(`y${i}`, value));
  return lowerGraph(graph, limits, "f32").steps.map(({ what }) => what);
}

test("lowerGraph() computes a chain of elementwise operators in one dispatch", () => {
  assert.deepEqual(stepsOf((g) => tanh(mul(add(g.input("x", [4, 6]), 1), 2))), ["add mul tanh"]);
});

test("lowerGraph() computes both branches of a diamond in one dispatch", () => {
  const steps = stepsOf((g) => {
    const x = silu(g.input("x", [4, 6]));
    return mul(add(x, 1), relu(x));
  });
  assert.equal(steps.length, 1);
});

test("lowerGraph() fuses across a broadcast", () => {
  assert.deepEqual(stepsOf((g) => mul(g.input("x", [4, 6]), add(g.input("s", [6]), 1))), ["add mul"]);
});

test("lowerGraph() stores a value that is an output and an argument", () => {
  const steps = stepsOf((g) => {
    const x = add(g.input("x", [4]), 1);
    return [x, mul(x, 2)];
  });
  assert.deepEqual(steps, ["add", "mul"]);
});

test("lowerGraph() splits a chain that reads more buffers than a kernel can bind", () => {
  const steps = stepsOf((g) => Array.from({ length: 12 }, (_, i) => g.input(`x${i}`, [4])).reduce((a, b) => add(a, b)));
  assert.deepEqual(steps, ["add add add add add", "add add add add add add"]);
});

test("lowerGraph() moves nothing for views that an elementwise operator reads", () => {
  const steps = stepsOf((g) => {
    const x = g.input("x", [6, 4]);
    const turned = transpose(slice(x, { axis: 0, start: 1, end: 5 }), [1, 0]);
    return add(turned, broadcastTo(reshape(g.input("b", [2, 2]), [4]), [4, 4]));
  });
  assert.deepEqual(steps, ["add"]);
});

test("lowerGraph() enlarges an image only where something else than a convolution reads it", () => {
  const large = (g: Graph) => upsample(g.input("x", [2, 3, 4, 5]), 2);
  const convolve = (x: Value) => conv2d(x, x.graph.input("w", [6, 3, 3, 3]), undefined, { pad: [1, 1, 1, 1] });
  const isEnlarged = (build: (g: Graph) => Value | Value[]) => stepsOf(build).includes("upsample");
  assert.equal(isEnlarged((g) => convolve(large(g))), false);
  assert.equal(isEnlarged((g) => [large(g)].flatMap((x) => [convolve(x), x])), true);
  assert.equal(isEnlarged((g) => [large(g)].flatMap((x) => [convolve(x), silu(x)])), true);
  assert.equal(isEnlarged((g) => conv2d(g.input("y", [1, 6, 9, 9]), upsample(g.input("w", [2, 6, 2, 2]), 2))), true);
});

test("lowerGraph() convolves an image enlarged twice phase by phase, four products in place of nine", () => {
  const productsOf = (scale: number, side: number, border: number): number => {
    const graph = new Graph();
    const weight = graph.constant(f32([8, 3, side, side], new Float32Array(24 * side ** 2)));
    const pad = [border, border, border, border] as const;
    const y = conv2d(upsample(graph.input("x", [2, 3, 4, 5]), scale), weight, undefined, { pad });
    graph.output("y", y);
    const [step] = lowerGraph(graph, limits, "f32").steps;
    return step.flops / (2 * 3 * y.shape.reduce((n, length) => n * length, 1));
  };
  assert.equal(productsOf(2, 3, 1), 4);
  assert.equal(productsOf(2, 3, 0), 9);
  assert.equal(productsOf(3, 3, 1), 9);
  assert.equal(productsOf(2, 5, 2), 25);
});

test("lowerGraph() joins frames only where something else than a convolution reads them", () => {
  const joined = (g: Graph, axis = 0) => concat([g.input("past", [2, 3, 4, 5]), g.input("x", [2, 3, 4, 5])], axis);
  const convolve = (x: Value, channels = 3) => conv3d(x, x.graph.input("w", [6, channels, 3, 1, 1]));
  assert.deepEqual(stepsOf((g) => convolve(joined(g))), ["copy", "conv3d"]); // the weight is put in order
  assert.deepEqual(stepsOf((g) => [joined(g)].flatMap((x) => [convolve(x), x])), [
    "concat",
    "concat",
    "copy",
    "conv3d",
  ]);
  assert.equal(stepsOf((g) => convolve(pad(joined(g, 1), [1, 0, 0, 0], [0, 0, 0, 0]), 6)).includes("concat"), true);
  assert.equal(stepsOf((g) => [joined(g)].flatMap((x) => [convolve(x), silu(x)])).includes("concat"), true);
});

test("lowerGraph() adds and activates where a convolution or norm stores its result", () => {
  const convolve = (x: Value) => conv2d(x, x.graph.constant(f32([3, 3, 1, 1], new Float32Array(9))));
  const image = (g: Graph, name = "x") => g.input(name, [2, 3, 8, 8]);
  const block = (x: Value) => add(convolve(silu(rmsNorm(x, undefined, { axis: 1 }))), x);
  assert.deepEqual(stepsOf((g) => block(image(g))), ["rmsNorm", "conv2d"]);
  assert.deepEqual(stepsOf((g) => add(convolve(image(g)), convolve(image(g, "y")))), ["conv2d", "conv2d"]);
  assert.deepEqual(stepsOf((g) => relu(add(image(g), convolve(image(g, "y"))))), ["conv2d"]);
  assert.deepEqual(stepsOf((g) => silu(layerNorm(g.input("x", [4, 6])))), ["layerNorm"]);
});

test("lowerGraph() adds and activates apart what else is read, of another shape, or not dense", () => {
  const convolve = (x: Value) => conv2d(x, x.graph.constant(f32([3, 3, 1, 1], new Float32Array(9))));
  const image = (g: Graph, name = "x") => g.input(name, [2, 3, 8, 8]);
  const both = (f: (x: Value) => Value) => (g: Graph) => [convolve(image(g))].flatMap((x) => [x, f(x)]);
  assert.deepEqual(stepsOf(both(silu)), ["conv2d", "silu"]);
  assert.deepEqual(stepsOf(both((x) => add(x, x))), ["conv2d", "add"]);
  assert.deepEqual(stepsOf((g) => [convolve(image(g))].map((x) => add(x, x))), ["conv2d", "add"]);
  assert.deepEqual(stepsOf((g) => add(convolve(image(g)), g.input("s", [3, 1, 1]))), ["conv2d", "add"]);
  assert.deepEqual(stepsOf((g) => add(g.input("y", [4, 1, 3, 8, 8]), convolve(image(g)))), ["conv2d", "add"]);
  assert.deepEqual(stepsOf((g) => tanh(convolve(image(g)))), ["conv2d", "tanh"]);
  assert.deepEqual(stepsOf((g) => silu(add(relu(convolve(image(g))), 1))), ["conv2d", "relu add silu"]);
  assert.deepEqual(stepsOf((g) => [rmsNorm(image(g))].map((x) => add(x, image(g, "y")))), ["rmsNorm", "add"]);
  assert.deepEqual(
    stepsOf((g) => add(transpose(image(g, "y"), [0, 1, 3, 2]), convolve(image(g)))),
    ["conv2d", "add"],
  );
});

test("lowerGraph() leaves out what no output needs", () => {
  const steps = stepsOf((g) => {
    const x = g.input("x", [4, 4]);
    softmax(x);
    return matmul(x, x);
  });
  assert.deepEqual(steps, ["matmul"]);
});

test("lowerGraph() multiplies by a weight that is too large for one binding in parts", () => {
  const graph = new Graph();
  graph.output("y", linear(graph.input("x", [3, 64]), graph.constant(f32([1000, 64], new Float32Array(64000)))));
  const small = { ...limits, maxStorageBufferBindingSize: 2 ** 17 };
  const { steps } = lowerGraph(graph, small, "f32");
  assert.equal(steps.length, 2);
  assert.ok(steps.every(({ bindings }) => bindings.every(({ bytes }) => bytes <= 2 ** 17)));
});

test("lowerGraph() multiplies by a quantised weight that is too large for one binding in parts", () => {
  const weight = quantize(f32([1000, 200], new Float32Array(200_000).fill(1)), { bits: 8 });
  const graph = new Graph();
  graph.output("y", quantizedLinear(graph.input("x", [3, 200]), weight));
  const small = { ...limits, maxStorageBufferBindingSize: 2 ** 17 };
  const { steps } = lowerGraph(graph, small, "f32");
  assert.equal(steps.length, 2);
  for (const { bindings } of steps) {
    assert.ok(bindings.every(({ bytes, offset }) => bytes <= 2 ** 17 && offset % 256 === 0));
  }
});

test("lowerGraph() adds up the parts of a long product in 32 bits, and leaves one whole whose weight is in parts", () => {
  const card: GpuLimits = { ...limits, tile: "MATRIX16" };
  const lowered = (maxStorageBufferBindingSize: number) => {
    const graph = new Graph();
    const weight = graph.constant(f32([512, 4096], new Float32Array(512 * 4096)));
    graph.output("y", linear(graph.input("x", [70, 4096]), weight, undefined, "silu"));
    return lowerGraph(graph, { ...card, maxStorageBufferBindingSize }, "f16");
  };
  const { steps, outputs } = lowered(2 ** 27);
  const [product, sum] = steps;
  assert.equal(steps.length, 2);
  const [partial, output] = sum.bindings;
  const [elements, parts] = sum.params;
  assert.ok(parts > 1);
  assert.equal(elements * 4, 70 * 512); // four at a time
  assert.equal(partial.bytes, parts * 70 * 512 * 4);
  assert.equal(product.bindings.at(-1)!.region, partial.region);
  assert.equal(output.region, outputs.get("y"));
  assert.equal(steps.reduce((flops, step) => flops + step.flops, 0), 2 * 70 * 512 * 4096);
  const [first, second] = lowered(2 ** 21).steps;
  assert.ok([first, second].every(({ code }) => code.includes("const TILE") && !code.includes("partSlices")));
});

test("lowerGraph() multiplies by 4 x 4 matrices in blocks, one invocation for four rows", () => {
  const graph = new Graph();
  graph.output("y", matmul(graph.input("x", [6, 15360, 4]), graph.input("m", [6, 4, 4])));
  for (const tile of ["PORTABLE", "MATRIX16"] as const) {
    const [{ code, workgroups }] = lowerGraph(graph, { ...limits, tile }, "f16").steps;
    assert.ok(!code.includes("const TILE"));
    assert.equal(workgroups, 6 * 15360 / 4 / 64);
  }
});

test("lowerGraph() names the limit when a tensor cannot be bound", () => {
  const graph = new Graph();
  graph.output("y", softmax(graph.input("x", [1024, 64])));
  assert.throws(
    () => lowerGraph(graph, { ...limits, maxStorageBufferBindingSize: 2 ** 17 }, "f32"),
    /Cannot compile softmax: .*262144 bytes.*131072 \(maxStorageBufferBindingSize\)/,
  );
});

test("planScratch() gives a long chain two buffers", () => {
  const graph = new Graph();
  let x = graph.input("x", [8, 8]);
  for (let i = 0; i < 20; i++) x = softmax(x);
  graph.output("y", x);
  const { steps, outputs } = lowerGraph(graph, limits, "f32");
  assert.deepEqual(planScratch(steps, new Set(outputs.values())).slotBytes, [256, 256]);
});

test("planScratch() never gives a step the same buffer to read and write", () => {
  const graph = new Graph();
  const x = softmax(graph.input("x", [8, 8]));
  const y = softmax(x);
  const joined = concat([softmax(y), x, y], 0);
  graph.output("z", softmax(matmul(joined, x)));
  const { steps, outputs } = lowerGraph(graph, limits, "f32");
  const { slotOf } = planScratch(steps, new Set(outputs.values()));
  for (const { bindings } of steps) {
    const written = slotOf.get(bindings.at(-1)!.region);
    const read = bindings.slice(0, -1).map(({ region }) => slotOf.get(region));
    assert.ok(written === undefined || !read.includes(written));
  }
});
