import assert from "node:assert/strict";
import { test } from "node:test";
import { ProtoWriter } from "../../../lib/compute/onnx/proto.ts";

test("ProtoWriter.int() writes seven bits a byte", () => {
  assert.deepEqual([...new ProtoWriter().int(1, 150).finish()], [0x08, 0x96, 0x01]);
  assert.deepEqual([...new ProtoWriter().int(2, 0).int(20, 127).finish()], [0x10, 0, 0xa0, 0x01, 0x7f]);
});

test("ProtoWriter.int() keeps numbers beyond 32 bits", () => {
  assert.deepEqual([...new ProtoWriter().int(1, 2 ** 35).finish()], [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);
});

test("ProtoWriter.int() writes negative numbers as 64 bits", () => {
  const ones = new Array(8).fill(0xff);
  assert.deepEqual([...new ProtoWriter().int(1, -2).finish()], [0x08, 0xfe, ...ones, 0x01]);
});

test("ProtoWriter.message() nests strings, floats and bytes by length", () => {
  const inner = new ProtoWriter().string(2, "é").float(3, 1);
  const bytes = new ProtoWriter().message(1, inner).bytes(4, new Uint8Array([7])).finish();
  assert.deepEqual([...bytes], [0x0a, 9, 0x12, 2, 0xc3, 0xa9, 0x1d, 0, 0, 0x80, 0x3f, 0x22, 1, 7]);
});

test("ProtoWriter.bytes() grows as far as needed", () => {
  const long = new Uint8Array(100_000).fill(5);
  const bytes = new ProtoWriter().bytes(1, long).bytes(1, long).finish();
  assert.equal(bytes.length, 2 * (100_000 + 4));
  assert.equal(bytes[bytes.length - 1], 5);
});
