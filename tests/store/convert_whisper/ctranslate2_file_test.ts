import assert from "node:assert/strict";
import { test } from "node:test";
import { byteSource } from "../../../lib/compute/tensor/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { readCTranslate2 } from "../../../lib/store/convert/whisper/ctranslate2_file.ts";
import { ctranslate2Bytes, storedFloats, storedInteger } from "../../fixtures/tiny_models/ctranslate2_file.ts";

const matrix = storedFloats("layer/weight", [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6), "f32");
const heads = storedInteger("num_heads", 4);
const whole = ctranslate2Bytes([...matrix, heads], { aliases: [["output/weight", "layer/weight"]] });

const read = (bytes: Uint8Array) => readCTranslate2(byteSource(bytes), "model.bin");

/** The file with other bytes from a place on. */
function changed(at: number, ...bytes: number[]): Uint8Array {
  const copy = whole.slice();
  copy.set(bytes, at);
  return copy;
}

/** Where the first variable begins: version, name, revision, count. */
const FIRST = 4 + 2 + "WhisperSpec".length + 1 + 4 + 4;
const RANK = FIRST + 2 + "layer/weight".length + 1;
const TYPE = RANK + 1 + 8;

test("variables are found with their shapes, types and places, aliases too", async () => {
  const { architecture, revision, variables } = await read(whole);
  assert.deepEqual([architecture, revision], ["WhisperSpec", 3]);
  const weight = variables.get("layer/weight");
  assert.deepEqual(weight, { name: "layer/weight", shape: [2, 3], type: "f32", offset: TYPE + 5, byteLength: 24 });
  assert.deepEqual(
    new Float32Array(whole.slice(weight.offset, weight.offset + 24).buffer),
    Float32Array.of(1, 2, 3, 4, 5, 6),
  );
  assert.deepEqual(variables.get("output/weight"), weight);
  const { shape, type, byteLength } = variables.get("num_heads")!;
  assert.deepEqual({ shape, type, byteLength }, { shape: [], type: "i16", byteLength: 2 });
  for (const [stored, width] of [["i8", 1], ["i16", 2], ["f16", 2], ["bf16", 2]] as const) {
    const values = storedFloats("x", [2, 2], Float32Array.of(1, 2, 3, 4), stored);
    const found = (await read(ctranslate2Bytes(values))).variables.get("x");
    assert.deepEqual([found?.type, found?.byteLength], [stored, 4 * width]);
  }
});

test("a file that ends anywhere before its end is refused", async () => {
  for (let length = 0; length < whole.length; length++) {
    await assert.rejects(
      read(whole.subarray(0, length)),
      (error) => error instanceof SvcError && error.code === "unsuitable_files" && /model\.bin/.test(error.message),
      `${length} bytes`,
    );
  }
});

test("damage is named: versions, counts, ranks, types, lengths, names and aliases", async () => {
  const cases: readonly (readonly [what: string, bytes: Uint8Array, message: RegExp])[] = [
    ["version", changed(0, 5), /it has version 5, expected version 6 of CTranslate2/],
    [
      "another format",
      new TextEncoder().encode("PK\x03\x04 a checkpoint of PyTorch"),
      /it has version \d+, expected version 6/,
    ],
    ["count of variables", changed(FIRST - 4, 0xff, 0xff, 0xff, 0xff), /it says that it has 4294967295 variables/],
    [
      "a few variables more",
      changed(FIRST - 4, 60),
      /it says that it has 60 variables|lacks|is not text|has \d+ bytes/,
    ],
    ["name without an end", changed(FIRST, 1), /name of variable 1 of 2 has 1 bytes, expected 2 to 256/],
    ["long name", changed(FIRST, 0xff, 0xff), /name of variable 1 of 2 has 65535 bytes/],
    ["name without zero", changed(FIRST + 2 + "layer/weight".length, 0x61), /is not text that ends with a zero/],
    ["name with a line end", changed(FIRST + 2, 10), /is not text that ends with a zero/],
    ["rank", changed(RANK, 9), /"layer\/weight" has 9 axes, expected at most 8/],
    ["huge axis", changed(RANK + 1, 0xff, 0xff, 0xff, 0xff), /has 24 bytes, expected 51539607540 of \[4294967295,3\]/],
    ["no elements", changed(RANK + 1, 0), /has 24 bytes, expected 0 of \[0,3\]/],
    ["type", changed(TYPE, 6), /has the data type 6, expected one of 0 \(f32\), 1 \(i8\)/],
    ["another type", changed(TYPE, 4), /has 24 bytes, expected 12 of \[2,3\] in f16/],
    ["length", changed(TYPE + 1, 25), /has 25 bytes, expected 24 of \[2,3\] in f32/],
    ["more bytes", new Uint8Array([...whole, 0]), /it has 1 bytes after its end, expected none/],
    ["a name twice", ctranslate2Bytes([heads, heads]), /it has the variable "num_heads" twice/],
    [
      "alias of nothing",
      ctranslate2Bytes([heads], { aliases: [["x", "y"]] }),
      /alias "x" stands for "y", which it lacks/,
    ],
    ["alias of itself", ctranslate2Bytes([heads], { aliases: [["num_heads", "num_heads"]] }), /"num_heads" twice/],
  ];
  for (const [what, bytes, message] of cases) {
    await assert.rejects(read(bytes), (error) => error instanceof SvcError && message.test(error.message), what);
  }
  const beyond = [{ name: "x", shape: [2 ** 16], type: 0, bytes: new Uint8Array(2 ** 18) }];
  const cut = ctranslate2Bytes(beyond).subarray(0, 1000);
  await assert.rejects(read(cut), /ends after 1000 bytes, within its variable "x", expected 262\d+ or more/);
});
