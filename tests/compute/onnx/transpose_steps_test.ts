import assert from "node:assert/strict";
import { test } from "node:test";
import { transposeSteps } from "../../../lib/compute/onnx/lower_layout.ts";

test("transposeSteps() moves blocks first where the last axis moves among others", () => {
  const pictures = [[0, 3, 2, 1, 4, 5], [0, 1, 4, 5, 2, 3], [0, 2, 1, 3, 4, 5]];
  assert.deepEqual(transposeSteps([12, 3, 2, 2, 64, 96], [0, 4, 3, 5, 2, 1]), pictures);
  // One step where one is enough, and where the blocks would be a few elements.
  for (const [shape, order] of [[[35, 67], [1, 0]], [[2, 3, 40], [1, 0, 2]], [[2, 3, 4, 5], [0, 2, 3, 1]]]) {
    assert.deepEqual(transposeSteps(shape, order), [order]);
  }
  assert.deepEqual(transposeSteps([2, 3, 2, 2, 2, 3], [0, 4, 3, 5, 2, 1]), [[0, 4, 3, 5, 2, 1]]);
});

test("transposeSteps() together are the permutation, whatever it is", () => {
  const shape = [2, 3, 4, 5, 6];
  for (const permutation of permutations([0, 1, 2, 3, 4])) {
    const order = transposeSteps(shape, permutation).reduce(
      (axes, step) => step.map((axis) => axes[axis]),
      [0, 1, 2, 3, 4],
    );
    assert.deepEqual(order, permutation);
  }
});

function permutations(axes: readonly number[]): number[][] {
  if (axes.length === 0) return [[]];
  return axes.flatMap((axis) => permutations(axes.filter((other) => other !== axis)).map((rest) => [axis, ...rest]));
}
