import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesPerElement, f32, i32, tensor, viewElements, zeroElements } from "../../../lib/compute/tensor/tensor.ts";
import { broadcastShapes, resolveAxis, sizeOf, stridesOf } from "../../../lib/compute/tensor/shape.ts";

test("tensor() wraps the array itself", () => {
  const data = new Uint8Array(6);
  assert.equal(tensor("u8", [2, 3], data).data, data);
  assert.deepEqual([f32([], [5]).data.length, i32([2], [1, 2]).dtype], [1, "i32"]);
});

test("tensor() refuses an array of another length and invalid shapes", () => {
  assert.throws(() => f32([2, 3], [1, 2]), {
    name: "ShapeError",
    message: "Cannot make a tensor: shape [2,3] has 6 elements, the array has 2",
  });
  assert.throws(() => f32([0], []), /every axis must be a positive integer, shape is \[0\]/);
});

test("broadcastShapes() aligns at the last axis", () => {
  assert.deepEqual(broadcastShapes("add", [3, 1, 5], [4, 1]), [3, 4, 5]);
  assert.deepEqual(broadcastShapes("add", [], [2]), [2]);
  assert.throws(() => broadcastShapes("add", [2, 3], [4]), {
    message: "Cannot add: shapes [2,3] and [4] do not broadcast, axes must be equal or 1",
  });
});

test("resolveAxis() counts from the end and refuses axes outside", () => {
  assert.deepEqual([resolveAxis("x", [4, 5], -1), resolveAxis("x", [4, 5], 0)], [1, 0]);
  for (const axis of [2, -3, 0.5]) assert.throws(() => resolveAxis("reduce", [4, 5], axis), /Cannot reduce: axis/);
});

test("stridesOf() and sizeOf() are row-major", () => {
  assert.deepEqual([stridesOf([2, 3, 4]), sizeOf([2, 3, 4]), sizeOf([])], [[12, 4, 1], 24, 1]);
});

test("viewElements() shares aligned memory and copies unaligned memory", () => {
  const bytes = Uint8Array.from({ length: 12 }, (_, i) => i);
  const aligned = viewElements("i32", bytes.buffer, 4, 2);
  assert.equal(aligned.buffer, bytes.buffer);
  const unaligned = viewElements("f16", bytes.buffer, 3, 2);
  assert.notEqual(unaligned.buffer, bytes.buffer);
  assert.deepEqual([...unaligned], [0x0403, 0x0605]);
});

test("zeroElements() and bytesPerElement() support every type", () => {
  const sizes = (["f32", "f16", "bf16", "i32", "i8", "u8"] as const).map((dtype) => [
    bytesPerElement(dtype),
    zeroElements(dtype, 3).byteLength / 3,
  ]);
  assert.deepEqual(sizes, [[4, 4], [2, 2], [2, 2], [4, 4], [1, 1], [1, 1]]);
});
