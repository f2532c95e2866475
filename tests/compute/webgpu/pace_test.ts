import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { graphCost } from "../../../lib/compute/tensor/graph_cost.ts";
import { attention } from "../../../lib/compute/tensor/ops/attention.ts";
import { conv2d, conv3d } from "../../../lib/compute/tensor/ops/conv.ts";
import { linear, matmul, quantizedLinear } from "../../../lib/compute/tensor/ops/matmul.ts";
import { quantize } from "../../../lib/compute/tensor/quantize.ts";
import { f32 } from "../../../lib/compute/tensor/tensor.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { Pace } from "../../../lib/compute/webgpu/pace.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";

/** Steps of so many teraflops that bind nothing: two estimated seconds each. */
const steps = (...teraflops: number[]) => teraflops.map((t) => ({ flops: t * 1e12, bindings: [] }));

test("Pace.split() ends a part before it takes too long, and never splits a step", () => {
  const pace = new Pace(1);
  assert.deepEqual(pace.split([]), []);
  assert.deepEqual(pace.split(steps(0.1)), [1]);
  assert.deepEqual(pace.split(steps(0.25, 0.25, 0.01, 5, 0.01, 0.2)), [2, 3, 4, 6]);
  assert.deepEqual(new Pace(0).split(steps(1, 1, 1)), [1, 2, 3]);
});

test("Pace counts what steps read and write", () => {
  const region = { source: { kind: "scratch" }, type: "float", bytes: 25e9 } as const;
  const step = { flops: 0, bindings: [{ region, offset: 0, bytes: 25e9 }] };
  assert.deepEqual(new Pace(1).split([step, step, step]), [2, 3]);
});

test("Pace.learn() believes a slower device at once and a faster one by halves", () => {
  const pace = new Pace(1);
  const run = steps(0.5);
  assert.equal(pace.seconds(run), 1);
  pace.learn(run, 4);
  assert.equal(pace.seconds(run), 4);
  pace.learn(run, 2);
  assert.equal(pace.seconds(run), 3);
  for (const nonsense of [0, -1, NaN, Infinity]) pace.learn(run, nonsense);
  pace.learn([], 5);
  assert.equal(pace.seconds(run), 3);
  assert.deepEqual([pace.tells(run), pace.tells(steps(1e-6)), pace.tells([])], [true, false, false]);
});

test("lowerGraph() says of each product what it costs", () => {
  const graph = new Graph();
  const numbers = (...shape: number[]) => f32(shape, new Float32Array(shape.reduce((a, b) => a * b)));
  const x = (name: string, ...shape: number[]) => graph.input(name, shape);
  const q = x("q", 40, 2, 8);
  graph.output("attention", attention(q, q, q));
  graph.output("batched attention", attention(x("b", 3, 5, 2, 4), x("c", 3, 7, 2, 4), x("d", 3, 7, 2, 6)));
  graph.output(
    "conv2d",
    conv2d(x("i", 2, 3, 9, 8), graph.constant(numbers(5, 3, 3, 3)), undefined, { stride: [2, 1] }),
  );
  graph.output("conv3d", conv3d(x("j", 4, 3, 9, 8), graph.constant(numbers(5, 3, 2, 3, 3))));
  graph.output("rows", linear(x("r", 3, 16), graph.constant(numbers(20, 16))));
  graph.output("blocks", linear(x("s", 2, 30, 16), graph.constant(numbers(20, 16))));
  graph.output("batch", matmul(x("t", 2, 30, 16), x("u", 2, 16, 7)));
  graph.output("quantised", quantizedLinear(x("v", 9, 32), quantize(numbers(12, 32), { bits: 8, groupSize: 16 })));
  // A binding so small that weights are multiplied in parts.
  for (const maxStorageBufferBindingSize of [DESKTOP_LIMITS.maxStorageBufferBindingSize, 8192]) {
    const { steps } = lowerGraph(graph, { ...DESKTOP_LIMITS, maxStorageBufferBindingSize }, "f32");
    assert.equal(steps.reduce((sum, { flops }) => sum + flops, 0), graphCost(graph).flops);
  }
});
