import { test } from "node:test";
import assert from "node:assert/strict";
import { relativePositionBias, relativePositionBucket } from "../../../lib/models/arworld/camera/relative_position.ts";

test("relativePositionBucket() is exact up to 7 and logarithmic beyond, keys on the right 16 higher", () => {
  const firstOfBucket = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91];
  for (let distance = 0; distance <= 300; distance++) {
    const bucket = firstOfBucket.findLastIndex((first) => first <= distance);
    assert.equal(relativePositionBucket(-distance, 32), bucket, `-${distance}`);
    if (distance > 0) assert.equal(relativePositionBucket(distance, 32), bucket + 16, `${distance}`);
  }
});

test("relativePositionBias() looks up the table of every head by key minus query", () => {
  const table = Float32Array.from({ length: 32 * 2 }, (_, i) => i);
  const bias = relativePositionBias(table, 2, 3);
  const head = (h: number) => [[0, 17, 18], [1, 0, 17], [2, 1, 0]].flat().map((bucket) => 2 * bucket + h);
  assert.deepEqual([...bias], [...head(0), ...head(1)]);
});
