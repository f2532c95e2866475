import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsScratch, onnxMemory } from "../../../lib/compute/onnx/onnx_memory.ts";
import { attention, f32, Graph, graphCost, linear } from "../../../lib/compute/tensor/mod.ts";

const MIB = 2 ** 20;
const cost = (weights: number, activations: number, passed = 0) => ({
  ...{ flops: 0, weightBytes: weights * MIB, doubledBytes: weights * MIB, widenedBytes: 0, logitBytes: 0 },
  ...{ activationBytes: activations * MIB, innerBytes: (activations - passed) * MIB, passedBytes: passed * MIB },
});
type Costs = ReturnType<typeof cost>[];
const together = (programs: Costs, alternatives: Costs[] = [], transient: Costs = []) =>
  onnxMemory.together({ programs, alternatives, transient }) / MIB;

test("onnxMemory.together() adds up what small programs keep, and counts the largest of those that give theirs back", () => {
  assert.equal(keepsScratch(cost(0, 16)), true);
  assert.equal(keepsScratch(cost(0, 17)), false);
  assert.equal(together([]), 0);
  assert.equal(together([cost(2, 1), cost(3, 2)]), 2 + 3 + 3 + 5 * (1 + 2));
  assert.equal(together([cost(0, 100), cost(0, 50), cost(0, 1)]), 5 * 1 + 3 * 100);
  assert.equal(together([cost(0, 100, 40)]), 3 * 60 + 40);
  assert.equal(together([cost(0, 1000, 40)]), 3 * 256 + 2 * (960 - 256) + 40);
});

test("onnxMemory.together() counts one of several groups that take turns, and a program that is there for a run", () => {
  assert.equal(together([cost(2, 0)], [[cost(30, 0)], [cost(20, 0)]]), 2 + 30 + 30);
  assert.equal(together([cost(2, 100)], [[cost(9, 0), cost(8, 0)], [cost(20, 0)]]), 2 + 20 + 3 * 100);
  assert.equal(together([cost(2, 0)], [[cost(4, 100)], [cost(5, 17), cost(60, 0)]]), 2 + 4 + 3 * 100);
  assert.equal(together([cost(2, 100)], [], [cost(30, 0), cost(20, 0)]), 2 + 3 * 100);
  assert.equal(together([cost(2, 17)], [], [cost(30, 0), cost(20, 100)]), 2 + 20 + 3 * 100);
});

test("onnxMemory.cost() counts the logits of attention with a bias", () => {
  const graph = new Graph();
  const [q, k] = [graph.input("q", [5, 2, 4]), graph.input("k", [7, 2, 4])];
  graph.output("plain", attention(q, k, k));
  assert.equal(onnxMemory.cost(graph).logitBytes, 0);
  graph.output("biased", attention(q, k, k, { bias: graph.input("bias", [1, 7]) }));
  assert.equal(onnxMemory.cost(graph).logitBytes, 4 * 5 * 2 * 7);
});

test("onnxMemory.cost() counts what is held beside a program with what it takes and gives", () => {
  const graph = new Graph();
  graph.output("y", linear(graph.input("x", [3, 4]), graph.constant(f32([4, 4], new Float32Array(16)))));
  const { passedBytes } = onnxMemory.cost(graph);
  assert.equal(onnxMemory.cost(graph, 100).passedBytes, passedBytes + 100);
});

test("onnxMemory.cost() counts each weight as it stays", () => {
  const graph = new Graph();
  const matrix = graph.constant(f32([64, 64], new Float32Array(4096)));
  graph.output("y", linear(graph.input("x", [3, 64]), matrix));
  const { weightBytes, widenedBytes } = onnxMemory.cost(graph);
  assert.deepEqual([weightBytes, widenedBytes], [graphCost(graph).weightBytes, 0]);
});
