import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bfloatToFloat,
  floatToBfloat,
  floatToHalf,
  halfToFloat,
  toFloat32,
  toHalf,
} from "../../../lib/compute/tensor/half.ts";
import { f32, tensor } from "../../../lib/compute/tensor/tensor.ts";

const all16Bits = Uint16Array.from({ length: 65536 }, (_, i) => i);

test("floatToHalf() gives back every half that halfToFloat() widened", () => {
  for (const bits of all16Bits) {
    const value = halfToFloat(bits);
    if (Number.isNaN(value)) {
      assert.equal(bits & 0x7c00, 0x7c00);
      assert.ok(Number.isNaN(halfToFloat(floatToHalf(value))));
    } else if (floatToHalf(value) !== bits) assert.fail(`half ${bits.toString(16)} came back as ${floatToHalf(value)}`);
  }
});

test("halfToFloat() reads the numbers that IEEE 754 names", () => {
  const named: [number, number][] = [
    [0x0000, 0],
    [0x8000, -0],
    [0x0001, 2 ** -24],
    [0x03ff, 1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x3555, 0.333251953125],
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x7c00, Infinity],
    [0xfc00, -Infinity],
  ];
  for (const [bits, value] of named) assert.ok(Object.is(halfToFloat(bits), value), `${bits.toString(16)}`);
});

test("floatToHalf() rounds every middle between two halves to the even one", () => {
  for (let bits = 0; bits < 0x7bff; bits++) {
    const middle = (halfToFloat(bits) + halfToFloat(bits + 1)) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    if (floatToHalf(middle) !== even) assert.fail(`the middle above ${bits.toString(16)} did not round to even`);
    if (floatToHalf(-middle) !== (even | 0x8000)) assert.fail(`the middle below -${bits.toString(16)} did not`);
  }
});

test("floatToHalf() overflows to infinity from the middle above 65504 on", () => {
  assert.equal(floatToHalf(65519.99), 0x7bff);
  assert.equal(floatToHalf(65520), 0x7c00);
  assert.equal(floatToHalf(-1e30), 0xfc00);
  assert.equal(floatToHalf(2 ** -25), 0);
  assert.equal(floatToHalf(2 ** -25 * 1.0001), 1);
});

test("floatToBfloat() gives back every bfloat16 that bfloatToFloat() widened", () => {
  for (const bits of all16Bits) {
    const value = bfloatToFloat(bits);
    if (Number.isNaN(value)) assert.ok(Number.isNaN(bfloatToFloat(floatToBfloat(value))));
    else if (floatToBfloat(value) !== bits) assert.fail(`bfloat16 ${bits.toString(16)} did not come back`);
  }
});

test("floatToBfloat() rounds to nearest, ties to even", () => {
  assert.equal(floatToBfloat(1 + 2 ** -8), 0x3f80);
  assert.equal(floatToBfloat(1 + 3 * 2 ** -8), 0x3f82);
  assert.equal(floatToBfloat(1 + 2 ** -8 + 2 ** -20), 0x3f81);
  assert.equal(floatToBfloat(3.4e38), 0x7f80);
});

test("toFloat32() widens short and long f16 tensors alike", () => {
  const long = toFloat32(tensor("f16", [65536], all16Bits));
  for (let start = 0; start < 65536; start += 2048) {
    const part = toFloat32(tensor("f16", [2048], all16Bits.slice(start, start + 2048)));
    assert.deepEqual(part, long.slice(start, start + 2048));
  }
});

test("toFloat32() widens bf16, i8, u8 and i32, and hands f32 through", () => {
  const same = f32([1], [1]);
  assert.equal(toFloat32(same), same.data);
  assert.deepEqual([...toFloat32(tensor("bf16", [2], Uint16Array.of(0x3f80, 0xc040)))], [1, -3]);
  assert.deepEqual([...toFloat32(tensor("i8", [2], Int8Array.of(-128, 127)))], [-128, 127]);
  assert.deepEqual([...toFloat32(tensor("u8", [2], Uint8Array.of(0, 255)))], [0, 255]);
  assert.deepEqual([...toFloat32(tensor("i32", [2], Int32Array.of(-5, 5)))], [-5, 5]);
});

test("toHalf() rounds other types and hands f16 through", () => {
  const half = toHalf(f32([2], [1, -2]));
  assert.deepEqual([half.dtype, [...half.data]], ["f16", [0x3c00, 0xc000]]);
  assert.equal(toHalf(half), half);
});
