import assert from "node:assert/strict";
import { test } from "node:test";
import { shiftedLevels } from "../../../lib/models/zimage/zimage_family.ts";
import { imagePositions, paddedTokens, textPositions } from "../../../lib/models/zimage/transformer.ts";

test("paddedTokens() fills up to whole multiples of 32", () => {
  assert.deepEqual([1, 31, 32, 33, 64].map(paddedTokens), [32, 32, 32, 64, 64]);
});

test("imagePositions() begin after the padded text, padding is at 0", () => {
  const positions = imagePositions({ width: 5, height: 7 }, 33);
  assert.equal(positions.length, 3 * 64);
  assert.deepEqual([...positions.slice(0, 3)], [65, 0, 0]);
  assert.deepEqual([...positions.slice(3 * 34, 3 * 35)], [65, 6, 4]);
  assert.deepEqual([...positions.slice(3 * 35)], new Array(3 * 29).fill(0));
  assert.deepEqual([...textPositions(2).slice(-3)], [32, 0, 0]);
});

test("shiftedLevels() begins at 1 and ends at 0 for any number of steps", () => {
  assert.deepEqual([...shiftedLevels(1, 3)], [1, 0]);
  const levels = shiftedLevels(9, 3);
  assert.deepEqual([levels[0], levels[9]], [1, 0]);
  assert.ok(levels.every((level, i) => i === 0 || level < levels[i - 1]));
});
