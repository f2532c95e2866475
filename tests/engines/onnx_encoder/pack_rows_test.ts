import assert from "node:assert/strict";
import { test } from "node:test";
import { packRows } from "../../../lib/engines/onnx_encoder/pack_rows.ts";
import { seededRandom } from "../../support/random.ts";

test("packRows() puts rows of about the same length together, the longest first", () => {
  assert.deepEqual(packRows([3, 10, 4, 9], 20), [[1, 3], [2, 0]]);
  assert.deepEqual(packRows([5, 5, 5], 10), [[0, 1], [2]]);
  assert.deepEqual(packRows([], 10), []);
});

test("packRows() gives a row that is longer than a batch a batch by itself", () => {
  assert.deepEqual(packRows([1, 11, 1], 10), [[1], [0, 2]]);
});

test("packRows() keeps every row once and every batch within 8,192 padded tokens", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 50; round++) {
    const lengths = Array.from({ length: 1 + Math.floor(random() * 256) }, () => 1 + Math.floor(random() ** 3 * 8192));
    const batches = packRows(lengths);
    assert.deepEqual(batches.flat().sort((a, b) => a - b), lengths.map((_, i) => i));
    for (const batch of batches) {
      assert.ok(batch.length * Math.max(...batch.map((i) => lengths[i])) <= 8192, `${batch.map((i) => lengths[i])}`);
    }
  }
});

test("packRows() fills 8,192 tokens to the last one", () => {
  assert.equal(packRows(new Array(8).fill(1024)).length, 1);
  assert.equal(packRows(new Array(9).fill(1024)).length, 2);
  assert.equal(packRows([8192, 1]).length, 2);
});
