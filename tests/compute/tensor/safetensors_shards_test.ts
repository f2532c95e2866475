import { test } from "node:test";
import assert from "node:assert/strict";
import { byteSource, encodeSafetensors, f32, openShardedSafetensors } from "../../../lib/compute/tensor/mod.ts";

const shards: Record<string, Uint8Array> = {
  "m-1.safetensors": encodeSafetensors(new Map([["a", f32([1], [1])]]), new Map([["from", "1"]])),
  "m-2.safetensors": encodeSafetensors(new Map([["b", f32([2], [2, 3])]])),
};

function open(index: string) {
  return openShardedSafetensors("m.index.json", index, (file) => Promise.resolve(byteSource(shards[file])));
}

test("openShardedSafetensors() reads each tensor from the shard that the index names", async () => {
  const file = await open('{"metadata":{"total_size":12},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}}');
  assert.deepEqual([...file.tensors.keys()], ["a", "b"]);
  assert.equal(file.metadata.get("from"), "1");
  assert.deepEqual((await file.read("a")).data, Float32Array.of(1));
  assert.deepEqual((await file.read("b")).data, Float32Array.of(2, 3));
  await assert.rejects(file.read("c"), /Cannot read tensor "c": m\.index\.json does not have it$/);
});

test("openShardedSafetensors() refuses an index that is malformed or wrong about a shard", async () => {
  await assert.rejects(open("{"), /^SafetensorsError: Cannot read m\.index\.json: it is not JSON/);
  await assert.rejects(open("null"), /"weight_map" is missing or not an object/);
  await assert.rejects(open('{"weight_map":[]}'), /"weight_map" is missing or not an object/);
  await assert.rejects(open('{"weight_map":{"a":"m-1.safetensors","a":"m-2.safetensors"}}'), /key "a" twice/);
  await assert.rejects(
    open('{"weight_map":{"b":"m-1.safetensors"}}'),
    /places tensor "b" in m-1\.safetensors, which does not have it$/,
  );
});

test("openShardedSafetensors() never leaves the folder of the index", async () => {
  for (const file of ["../m-1.safetensors", "/m-1.safetensors", "x/m-1.safetensors", "c:m-1.safetensors", "m-1.bin"]) {
    await assert.rejects(open(JSON.stringify({ weight_map: { a: file } })), /expected a plain name \*\.safetensors$/);
  }
});
