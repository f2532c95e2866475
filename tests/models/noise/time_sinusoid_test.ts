import { test } from "node:test";
import assert from "node:assert/strict";
import { timeSinusoid } from "../../../lib/models/layers/dense.ts";

test("timeSinusoid() puts cosines before sines, the fastest first", () => {
  const row = timeSinusoid([0, 937.5], 4).slice(4);
  assert.deepEqual(row, Float32Array.of(Math.cos(937.5), Math.cos(9.375), Math.sin(937.5), Math.sin(9.375)));
  assert.deepEqual(timeSinusoid([0], 4), Float32Array.of(1, 1, 0, 0));
});
