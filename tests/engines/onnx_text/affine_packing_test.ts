import assert from "node:assert/strict";
import { test } from "node:test";
import { affinePacking } from "../../../lib/engines/onnx_text/decoding/kv_packing.ts";
import { uniformAt } from "../../../lib/protocol/mod.ts";

const TOKENS = 64;

test("affinePacking keeps numbers within half a step of their head's token", () => {
  const dims = [7, 64, 1, 128];
  const count = dims.reduce((sum, dim) => sum + dim * TOKENS, 0);
  const numbers = Float32Array.from({ length: count }, (_, i) => (uniformAt(5, i) - 0.5) * (i < 7 ? 1000 : 0.01));
  const packed = affinePacking.pack(numbers, dims, TOKENS);
  const found = packed.unpack();
  let start = 0;
  for (const size of dims.flatMap((dim) => new Array<number>(TOKENS).fill(dim))) {
    const group = numbers.subarray(start, start + size);
    const max = (Math.max(...group) - Math.min(...group)) / 255 / 2 * 1.001;
    group.forEach((value, i) => assert.ok(Math.abs(found[start + i]! - value) <= max + 1e-9, `${start + i}`));
    start += size;
  }
  assert.equal(packed.byteLength, count + dims.length * TOKENS * 8);
  assert.equal(packed.byteLength, dims.reduce((sum, dim) => sum + affinePacking.bytes(dim), 0));
});

test("affinePacking keeps equal numbers as they are, and nothing of tokens that do not count", () => {
  const equal = new Float32Array(TOKENS * 8).fill(-3.25);
  assert.deepEqual(affinePacking.pack(equal, [8], TOKENS).unpack(), equal);
  assert.deepEqual(affinePacking.pack(equal, [8], 3).unpack(), equal.map((value, i) => i < 3 * 8 ? value : 0));
});
