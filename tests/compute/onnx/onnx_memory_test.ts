import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsScratch, onnxMemory } from "../../../lib/compute/onnx/onnx_memory.ts";

const MIB = 2 ** 20;
const cost = (weights: number, activations: number) => ({
  flops: 0,
  weightBytes: weights * MIB,
  doubledBytes: weights * MIB,
  activationBytes: activations * MIB,
});

test("onnxMemory.together() adds up what small programs keep, and counts the largest of those that give theirs back", () => {
  assert.equal(keepsScratch(cost(0, 8)), true);
  assert.equal(keepsScratch(cost(0, 9)), false);
  assert.equal(onnxMemory.together([]), 0);
  assert.equal(onnxMemory.together([cost(2, 1), cost(3, 2)]), (2 + 3 + 3 + 5 * (1 + 2)) * MIB);
  assert.equal(onnxMemory.together([cost(0, 100), cost(0, 50), cost(0, 1)]), 5 * (1 + 100) * MIB);
});
