import assert from "node:assert/strict";
import { test } from "node:test";
import { normalized, pool, type Pooling } from "../../../lib/engines/onnx_embedding/pooling.ts";
import { assertClose } from "../../support/assert_close.ts";

/** Four tokens of two numbers; the last one fills the row up. */
const tokens = Float32Array.of(1, -8, 2, 4, 6, 1, 99, 99);

test("pool() is what the names say, without what fills the row up", () => {
  const cases: [Pooling, number[]][] = [
    ["cls", [1, -8]],
    ["max", [6, 4]],
    ["mean", [3, -1]],
    ["mean_sqrt_len", [9 / Math.sqrt(3), -3 / Math.sqrt(3)]],
    ["weighted_mean", [(1 * 1 + 2 * 2 + 3 * 6) / 6, (-8 + 2 * 4 + 3 * 1) / 6]],
    ["last_token", [6, 1]],
  ];
  for (const [pooling, expected] of cases) assertClose(pool(tokens, 2, 0, 3, pooling), expected, 1e-12, pooling);
});

test("pool() leaves out the prompt, except for the first token's vector", () => {
  assert.deepEqual([...pool(tokens, 2, 1, 3, "mean")], [4, 2.5]);
  assert.deepEqual([...pool(tokens, 2, 1, 3, "max")], [6, 4]);
  assertClose(pool(tokens, 2, 1, 3, "weighted_mean"), [(2 * 2 + 3 * 6) / 5, (2 * 4 + 3 * 1) / 5], 1e-12);
  assert.deepEqual([...pool(tokens, 2, 1, 3, "cls")], [1, -8]);
});

test("normalized() has length 1 and the same direction, a vector of zeros stays", () => {
  assert.deepEqual([...normalized(Float64Array.of(3, -4))], [0.6000000000000001, -0.8]);
  assert.deepEqual([...normalized(Float64Array.of(0, 0))], [0, 0]);
});
