import { test } from "node:test";
import assert from "node:assert/strict";
import { relativePositionBucket } from "../../../lib/models/arworld/text/text_encoder.ts";

test("relativePositionBucket() is exact up to 7 and logarithmic beyond, keys on the right 16 higher", () => {
  const firstOfBucket = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91];
  for (let distance = 0; distance <= 300; distance++) {
    const bucket = firstOfBucket.findLastIndex((first) => first <= distance);
    assert.equal(relativePositionBucket(-distance, 32), bucket, `-${distance}`);
    if (distance > 0) assert.equal(relativePositionBucket(distance, 32), bucket + 16, `${distance}`);
  }
});
