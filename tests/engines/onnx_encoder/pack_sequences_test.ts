import assert from "node:assert/strict";
import { test } from "node:test";
import { packSequences } from "../../../lib/engines/onnx_encoder/token_sequence.ts";
import { seededRandom } from "../../support/random.ts";

test("packSequences() puts rows of about the same length together, the longest first", () => {
  assert.deepEqual(packSequences([3, 10, 4, 9], 20), [[1, 3], [2, 0]]);
  assert.deepEqual(packSequences([5, 5, 5], 10), [[0, 1], [2]]);
  assert.deepEqual(packSequences([], 10), []);
});

test("packSequences() gives a sequence longer than a batch its own batch", () => {
  assert.deepEqual(packSequences([1, 11, 1], 10), [[1], [0, 2]]);
});

// @row model-api > Limits > 8,192 padded tokens a batch
test("packSequences() keeps every row once and every batch within 8,192 padded tokens", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 50; round++) {
    const lengths = Array.from({ length: 1 + Math.floor(random() * 256) }, () => 1 + Math.floor(random() ** 3 * 8192));
    const batches = packSequences(lengths);
    assert.deepEqual(batches.flat().sort((a, b) => a - b), lengths.map((_, i) => i));
    for (const batch of batches) {
      assert.ok(batch.length * Math.max(...batch.map((i) => lengths[i])) <= 8192, `${batch.map((i) => lengths[i])}`);
    }
  }
});

// @row model-api > Limits > 8,192 padded tokens a batch
test("packSequences() fills 8,192 tokens to the last one", () => {
  assert.equal(packSequences(new Array(8).fill(1024)).length, 1);
  assert.equal(packSequences(new Array(9).fill(1024)).length, 2);
  assert.equal(packSequences([8192, 1]).length, 2);
});
