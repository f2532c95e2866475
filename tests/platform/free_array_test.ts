import assert from "node:assert/strict";
import { test } from "node:test";
import { freeArray } from "../../lib/platform/rpc/rpc_service.ts";

test("the memory of an array is freed at once, where the array is the whole of a buffer that is not shared", () => {
  const array = new Float32Array(1024).fill(1);
  freeArray(array);
  assert.equal(array.length, 0);
  assert.equal(array.buffer.byteLength, 0);
  freeArray(array); // nothing is left to free

  const buffer = new ArrayBuffer(16);
  freeArray(new Uint8Array(buffer, 8));
  assert.equal(buffer.byteLength, 16);
  const shared = new Uint8Array(new SharedArrayBuffer(16));
  freeArray(shared);
  assert.equal(shared.length, 16);
});
