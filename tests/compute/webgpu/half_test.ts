import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { add, mul } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { f32 } from "../../../lib/compute/tensor/tensor.ts";
import { assertClose } from "../../support/assert_close.ts";
import { opCases } from "../../support/op_cases.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const device = await openTestDevice("f16");
const skip = typeof device === "string" ? device : false;
after(() => {
  if (typeof device !== "string") device.dispose();
});

// One line says that there is no adapter with 16-bit floats, not one for every operator.
for (const { name, graph, feeds } of skip ? [] : opCases()) {
  test(`openWebGpuDevice() computes ${name} with 16-bit floats`, async () => {
    assert.ok(typeof device !== "string");
    const program = await device.compile(graph);
    const { y } = await program.run(feeds);
    // 16-bit floats have 11 significant bits; inputs, weights and results are each rounded to them.
    assertClose((await y.read()).data, evaluate(graph, feeds).y.data, 4e-3);
    y.release();
    program.dispose();
  });
}

test("openWebGpuDevice() computes four neighbours with one 16-bit float for all of them", { skip }, async () => {
  assert.ok(typeof device !== "string");
  const graph = new Graph();
  graph.output("y", add(mul(graph.input("x", [2, 8]), graph.input("row", [2, 1])), graph.input("one", [1])));
  const program = await device.compile(graph);
  const x = Float32Array.from({ length: 16 }, (_, i) => i);
  const { y } = await program.run({ x: f32([2, 8], x), row: f32([2, 1], [0.5, -2]), one: f32([1], [3]) });
  assert.deepEqual((await y.read()).data, x.map((v, i) => v * (i < 8 ? 0.5 : -2) + 3));
  y.release();
  program.dispose();
});

test("Device.upload() keeps an odd number of 16-bit floats", { skip }, async () => {
  assert.ok(typeof device !== "string");
  const x = device.upload(f32([3], [0.5, -2, 65504]));
  assert.equal(x.byteLength, 6);
  assert.deepEqual([...(await x.read()).data], [0.5, -2, 65504]);
  const into = new Float32Array(3);
  assert.equal((await x.read(into)).data, into);
  assert.deepEqual([...into], [0.5, -2, 65504]);
  x.release();
});
