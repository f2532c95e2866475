import { test } from "node:test";
import assert from "node:assert/strict";
import { add, f32, floatToHalf, Graph, halfToFloat, layerNorm, matmul } from "../../lib/compute/tensor/mod.ts";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import { seededRandom } from "../support/random.ts";
import { largestDifference } from "./golden.ts";
import { halfTolerance, LayerCounter } from "./half_tolerance.ts";

const round = (x: number) => halfToFloat(floatToHalf(x));

test("halfTolerance() allows sums of 32 bits whose inputs and result are rounded to 16, and no sums of 16 bits", () => {
  const random = seededRandom(1);
  const [inner, columns] = [512, 256];
  const numbers = (count: number) => Float32Array.from({ length: count }, () => 2 * random() - 1);
  const [a, b] = [numbers(inner), numbers(inner * columns)];
  const exact = new Float64Array(columns);
  const rounded = new Float64Array(columns);
  const half = new Float64Array(columns);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < inner; i++) {
      const [x, y] = [a[i], b[j * inner + i]];
      exact[j] += x * y;
      rounded[j] = Math.fround(rounded[j] + round(x) * round(y));
      half[j] = round(half[j] + round(x) * round(y));
    }
    rounded[j] = round(rounded[j]);
  }
  const allowed = halfTolerance(1) * exact.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  assert.ok(largestDifference(rounded, exact) < allowed / 2, `${largestDifference(rounded, exact)} of ${allowed}`);
  assert.ok(largestDifference(half, exact) > allowed, `${largestDifference(half, exact)} of ${allowed}`);
});

test("LayerCounter.tolerance follows from the longest way through a program, however often it runs", async () => {
  const device = new LayerCounter(await openOnnxDevice());
  const graph = new Graph();
  const x = graph.input("x", [2, 2]);
  const w = graph.constant(f32([2, 2], [1, 2, 3, 4]));
  graph.output("short", matmul(x, w));
  graph.output("long", add(matmul(layerNorm(matmul(x, w)), w), x));
  const program = await device.compile(graph);
  assert.equal(device.tolerance, 0);
  for (let run = 0; run < 2; run++) {
    for (const t of Object.values(await program.run({ x: f32([2, 2], [1, 2, 3, 5]) }))) t.release();
    assert.equal(device.tolerance, halfTolerance(3));
  }
  program.dispose();
  device.dispose();
});
