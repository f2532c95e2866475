import { test } from "node:test";
import assert from "node:assert/strict";
import {
  byteSource,
  encodeSafetensors,
  f32,
  openSafetensors,
  type Tensor,
  tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { seededRandom } from "../../support/random.ts";

test("encodeSafetensors() gives the same bytes whatever the order of the tensors", () => {
  const a = f32([1], [1]);
  const b = tensor("u8", [3], Uint8Array.of(1, 2, 3));
  assert.deepEqual(
    encodeSafetensors(new Map<string, Tensor>([["a", a], ["b", b]])),
    encodeSafetensors(new Map<string, Tensor>([["b", b], ["a", a]])),
  );
});

test("encodeSafetensors() aligns every tensor for its type", async () => {
  const random = seededRandom(3);
  const tensors = new Map<string, Tensor>();
  for (let i = 0; i < 40; i++) {
    const n = 1 + Math.floor(random() * 9);
    tensors.set(
      `t${i}`,
      [
        f32([n], new Float32Array(n)),
        tensor("u8", [n], new Uint8Array(n)),
        tensor("f16", [n], new Uint16Array(n)),
      ][i % 3],
    );
  }
  const file = await openSafetensors("m", byteSource(encodeSafetensors(tensors)));
  for (const [name, t] of file.tensors) assert.equal(t.offset % tensors.get(name)!.data.BYTES_PER_ELEMENT, 0, name);
});

test("encodeSafetensors() writes only the part of a buffer that a tensor views", async () => {
  const view = new Float32Array(8).map((_, i) => i).subarray(2, 5);
  const file = await openSafetensors("m", byteSource(encodeSafetensors(new Map([["v", f32([3], view)]]))));
  assert.deepEqual([...(await file.read("v")).data], [2, 3, 4]);
});

test("encodeSafetensors() refuses reserved names and arrays that do not fit their shape", () => {
  const one = f32([1], [1]);
  for (const name of ["__metadata__", "__proto__", "constructor"]) {
    assert.throws(() => encodeSafetensors(new Map([[name, one]])), /the name is reserved, use another one$/);
  }
  assert.throws(
    () => encodeSafetensors(new Map([["w", { ...one, shape: [2, 2] }]])),
    /^SafetensorsError: Cannot write tensor "w": it has 1 elements, expected 4 for shape \[2,2\]$/,
  );
});
