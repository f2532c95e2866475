import assert from "node:assert/strict";
import { test } from "node:test";
import {
  add,
  attention,
  conv2d,
  f32,
  Graph,
  graphCost,
  linear,
  quantize,
  quantizedLinear,
  reshape,
  silu,
} from "../../../lib/compute/tensor/mod.ts";

test("graphCost() counts products, each weight once, and what is alive at once", () => {
  const graph = new Graph();
  const weight = graph.constant(f32([8, 8], new Float32Array(64)));
  let x = graph.input("x", [10, 8]);
  for (let i = 0; i < 3; i++) x = linear(x, weight);
  silu(x);
  graph.output("y", reshape(x, [80]));
  const passed = { passedBytes: 2 * 320, innerBytes: 2 * 320 };
  assert.deepEqual(graphCost(graph), { flops: 3 * 2 * 10 * 64, weightBytes: 256, activationBytes: 2 * 320, ...passed });
  assert.deepEqual(graphCost(graph, 2), {
    ...{ flops: 3840, weightBytes: 128 },
    ...{ activationBytes: 320, passedBytes: 320, innerBytes: 320 },
  });
});

test("graphCost() keeps what a later operator needs", () => {
  const graph = new Graph();
  const x = graph.input("x", [4]);
  graph.output("y", add(x, silu(silu(x))));
  assert.deepEqual(graphCost(graph), {
    ...{ flops: 0, weightBytes: 0 },
    // The input, both activations; the output is made when the first of them is gone.
    ...{ activationBytes: 3 * 16, passedBytes: 2 * 16, innerBytes: 2 * 16 },
  });
});

test("graphCost() counts convolutions, attention and quantised weights", () => {
  const graph = new Graph();
  const image = graph.input("image", [1, 3, 6, 5]);
  graph.output("conv", conv2d(image, graph.constant(f32([2, 3, 3, 3], new Float32Array(54)))));
  assert.equal(graphCost(graph).flops, 2 * (2 * 4 * 3) * 27);
  const other = new Graph();
  const q = other.input("q", [5, 2, 4]);
  const k = other.input("k", [7, 2, 4]);
  other.output("y", attention(q, k, k));
  assert.equal(graphCost(other).flops, 2 * 5 * 7 * 2 * 8);
  const small = new Graph();
  const matrix = quantize(f32([6, 40], new Float32Array(240).fill(1)), { bits: 4 });
  small.output("y", quantizedLinear(small.input("x", [3, 40]), matrix));
  assert.deepEqual(graphCost(small), {
    ...{ flops: 2 * 3 * 6 * 40, weightBytes: 6 * 32 + 6 * 2 * 4 },
    ...{ activationBytes: 552, passedBytes: 552, innerBytes: 0 },
  });
});
