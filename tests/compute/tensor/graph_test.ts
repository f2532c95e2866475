import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { add, cast, mul } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { reshape, slice, transpose } from "../../../lib/compute/tensor/ops/layout.ts";
import { f32, i32 } from "../../../lib/compute/tensor/tensor.ts";

test("Graph.constant() makes one value of one tensor", () => {
  const graph = new Graph();
  const weight = f32([2], [1, 2]);
  assert.equal(graph.constant(weight), graph.constant(weight));
  assert.notEqual(graph.constant(weight), graph.constant(f32([2], [1, 2])));
  assert.equal(graph.constant(i32([1], [1])).type, "int");
});

test("Graph.nodes lists inputs of a node before it", () => {
  const graph = new Graph();
  const x = graph.input("x", [2]);
  const y = mul(add(x, 1), x);
  assert.deepEqual(graph.nodes.map((node) => node.op.kind), ["input", "constant", "binary", "binary"]);
  assert.equal(y.id, graph.nodes.length - 1);
  for (const node of graph.nodes) for (const input of node.inputs) assert.ok(input.id < node.output.id);
});

test("Graph.input() and output() refuse a name twice", () => {
  const graph = new Graph();
  const x = graph.input("x", [2]);
  graph.output("x", x);
  assert.throws(() => graph.input("x", [2]), { name: "ShapeError", message: /Cannot declare input "x"/ });
  assert.throws(() => graph.output("x", x), { name: "ShapeError", message: /Cannot name output "x"/ });
});

test("Graph refuses values of another graph", () => {
  const [one, other] = [new Graph(), new Graph()];
  const [x, y] = [one.input("x", [2]), other.input("y", [2])];
  assert.throws(() => add(x, y), /Cannot apply binary: a value of shape \[2\] belongs to another graph/);
  assert.throws(() => one.output("y", y), /the value belongs to another graph/);
});

test("Graph.input() refuses sizes that are not positive integers", () => {
  for (const size of [0, -1, 1.5, NaN]) {
    assert.throws(() => new Graph().input("x", [2, size]), /every axis must be a positive integer/);
  }
});

test("operators that change nothing give their input", () => {
  const x = new Graph().input("x", [2, 3]);
  assert.equal(reshape(x, [2, -1]), x);
  assert.equal(transpose(x, [0, 1]), x);
  assert.equal(slice(x, { axis: 0 }), x);
  assert.equal(cast(x, "float"), x);
});
