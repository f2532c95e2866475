import assert from "node:assert/strict";
import { test } from "node:test";
import { polarPacking } from "../../../lib/engines/onnx_text/decoding/kv_packing.ts";
import { uniformAt } from "../../../lib/protocol/mod.ts";

const TOKENS = 64;

/** A normally distributed number (Box and Muller, 1958). */
function normalAt(i: number): number {
  return Math.sqrt(-2 * Math.log(1 - uniformAt(3, 2 * i))) * Math.cos(2 * Math.PI * uniformAt(3, 2 * i + 1));
}

const normal = (count: number) => Float32Array.from({ length: count }, (_, i) => normalAt(i));

/** What of the power is lost. */
function loss(found: Float32Array, expected: Float32Array): number {
  const power = (x: Float32Array) => x.reduce((sum, value) => sum + value * value, 0);
  return power(found.map((value, i) => value - expected[i]!)) / power(expected);
}

for (const dim of [64, 128, 80, 512]) {
  test(`polarPacking loses of ${dim} numbers a token what four levels have to`, () => {
    const numbers = normal(TOKENS * dim);
    const packed = polarPacking.pack(numbers, [dim], TOKENS);
    const lost = loss(packed.unpack(), numbers);
    assert.ok(lost > 0.1 && lost < 0.1175, `${lost}`); // below the bound for one number, since the length is known
    assert.equal(packed.byteLength, polarPacking.bytes(dim));
    assert.ok(packed.byteLength * 8 / numbers.length <= 3.4, "2 bits, and the mean and the lengths");
  });
}

test("polarPacking loses no more where a few channels are far from zero for all tokens", () => {
  const dim = 64;
  const noise = normal(TOKENS * dim);
  const numbers = noise.map((value, i) => value + (i % dim === 5 ? 400 : i % dim === 40 ? -90 : 0));
  const found = polarPacking.pack(numbers, [dim], TOKENS).unpack();
  assert.ok(loss(found.map((value, i) => value - (numbers[i]! - noise[i]!)), noise) < 0.12);
});

test("polarPacking spreads what is in few numbers of a token", () => {
  const dim = 128;
  const numbers = new Float32Array(TOKENS * dim);
  for (let token = 0; token < TOKENS; token++) numbers[token * dim + (token * 37) % dim] = 5 + token;
  assert.ok(loss(polarPacking.pack(numbers, [dim], TOKENS).unpack(), numbers) < 0.5);
});

test("polarPacking never loses more than there is, whatever the sizes of heads and the tokens that count", () => {
  const dims = [24, 1, 3, 300];
  const count = dims.reduce((sum, dim) => sum + dim * TOKENS, 0);
  const numbers = Float32Array.from({ length: count }, (_, i) => normalAt(i) * 10 ** (i % 9 - 4));
  for (const tokens of [1, 2, 63, 64]) {
    const packed = polarPacking.pack(numbers, dims, tokens);
    const found = packed.unpack();
    assert.equal(packed.byteLength, dims.reduce((sum, dim) => sum + polarPacking.bytes(dim), 0));
    let start = 0;
    for (const dim of dims) {
      const rows = numbers.subarray(start, start + tokens * dim);
      const lost = loss(found.subarray(start, start + tokens * dim), rows);
      assert.ok(lost < (tokens === 1 || dim === 1 ? 1e-12 : 1), `${dim} numbers of ${tokens} tokens: ${lost}`);
      assert.ok(found.subarray(start + tokens * dim, start + TOKENS * dim).every((value) => value === 0));
      start += TOKENS * dim;
    }
  }
});

test("polarPacking keeps zeros", () => {
  const zeros = new Float32Array(TOKENS * 64);
  assert.deepEqual(polarPacking.pack(zeros, [64], TOKENS).unpack(), zeros);
});
