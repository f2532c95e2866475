import { test } from "node:test";
import assert from "node:assert/strict";
import { ropePairs, ropeTables } from "../../../lib/models/arworld/transformer/window_inputs.ts";

test("ropePairs() gives frames what rows and columns leave over", () => {
  assert.deepEqual(ropePairs(128), [22, 21, 21]);
  assert.deepEqual(ropePairs(32), [6, 5, 5]);
});

test("ropeTables() turns each pair by its own axis, in the token order frame, row, column", () => {
  const { cos, sin } = ropeTables(12, [3, 7], 2, 3); // pairs: 2 frame, 2 row, 2 column
  assert.equal(cos.length, 2 * 2 * 3 * 6);
  const token = (1 * 2 + 1) * 3 + 2; // frame 1 at position 7, row 1, column 2

  [7, 1, 2].forEach((position, axis) => {
    [1, 0.01].forEach((frequency, j) => {
      const at = token * 6 + axis * 2 + j;
      assert.equal(cos[at], Math.fround(Math.cos(position * frequency)));
      assert.equal(sin[at], Math.fround(Math.sin(position * frequency)));
    });
  });
  assert.ok(ropeTables(12, [0], 1, 1).cos.every((c) => c === 1));
});
