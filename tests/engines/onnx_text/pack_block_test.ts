import assert from "node:assert/strict";
import { test } from "node:test";
import { packBlock, unpackBlock } from "../../../lib/engines/onnx_text/pack_block.ts";
import { uniformAt } from "../../../lib/text/mod.ts";

test("packBlock() keeps numbers within half a step of their group", () => {
  const groups = [7, 64, 1, 128];
  const numbers = Float32Array.from({ length: 200 }, (_, i) => (uniformAt(5, i) - 0.5) * (i < 7 ? 1000 : 0.01));
  const packed = packBlock(numbers, groups);
  const found = unpackBlock(packed, groups);
  let start = 0;
  for (const size of groups) {
    const group = numbers.subarray(start, start + size);
    const most = (Math.max(...group) - Math.min(...group)) / 255 / 2 * 1.001;
    group.forEach((value, i) => assert.ok(Math.abs(found[start + i] - value) <= most + 1e-9, `${start + i}`));
    start += size;
  }
  assert.equal(packed.byteLength, 200 + groups.length * 8);
});

test("packBlock() keeps equal numbers as they are", () => {
  const equal = new Float32Array(32).fill(-3.25);
  assert.deepEqual(unpackBlock(packBlock(equal, [32]), [32]), equal);
});
