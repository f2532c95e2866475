import assert from "node:assert/strict";
import { test } from "node:test";
import { ggufFile } from "../../fixtures/tiny_models/gguf_file.ts";
import {
  type GgufMetadata,
  lengthOfList,
  readGgufMetadata,
  textOfList,
  textsField,
} from "../../../lib/engines/gguf_text/gguf_metadata.ts";
import { memoryFiles } from "../../support/model_files.ts";
import { seededRandom } from "../../support/random.ts";

const read = (bytes: Uint8Array): Promise<GgufMetadata> => readGgufMetadata(memoryFiles({ "a.gguf": bytes }), "a.gguf");
const small = ggufFile({
  "general.architecture": "llama",
  "llama.context_length": { uint32: 4096 },
  "general.sampling.temp": { float32: 0.5 },
  "tokenizer.ggml.add_bos_token": true,
  "tokenizer.ggml.tokens": ["a", "é", "▁"],
  "tokenizer.ggml.token_type": { int32s: [1, -1, 3] },
  "tokenizer.ggml.merges": ["a b", "c d"],
}, []);

/** A header with one entry `k` of the given type. */
function entry(type: number, ...value: number[]): Uint8Array {
  const key = [1, 0, 0, 0, 0, 0, 0, 0, 0x6b];
  return Uint8Array.from([...header(3, 1), ...key, ...uint(type, 4), ...value]);
}

function header(version: number, entries: number, tensors = 0): number[] {
  return [0x47, 0x47, 0x55, 0x46, ...uint(version, 4), ...uint(tensors, 8), ...uint(entries, 8)];
}

function uint(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
}

test("readGgufMetadata() reads values of all kinds, and no merges", async () => {
  const metadata = await read(small);
  assert.deepEqual([...metadata], [
    ["general.architecture", "llama"],
    ["llama.context_length", 4096],
    ["general.sampling.temp", 0.5],
    ["tokenizer.ggml.add_bos_token", true],
    ["tokenizer.ggml.tokens", ["a", "é", "▁"]],
    ["tokenizer.ggml.token_type", [1, -1, 3]],
  ]);
});

test("readGgufMetadata() reads every scalar type", async () => {
  const value = async (type: number, ...bytes: number[]) => (await read(entry(type, ...bytes))).get("k");
  assert.equal(await value(0, 255), 255);
  assert.equal(await value(1, 255), -1);
  assert.equal(await value(2, 1, 2), 513);
  assert.equal(await value(3, 254, 255), -2);
  assert.equal(await value(4, 1, 0, 0, 128), 2 ** 31 + 1);
  assert.equal(await value(5, 255, 255, 255, 255), -1);
  assert.equal(await value(7, 0), false);
  assert.equal(await value(10, ...uint(2 ** 40, 8)), 2 ** 40);
  assert.equal(await value(11, ...uint(2 ** 64 - 2 ** 11, 8)), -2048);
  assert.equal(await value(12, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f), 1.5);
});

test("readGgufMetadata() reads metadata that are longer than its first part", async () => {
  const tokens = Array.from(
    { length: 40_000 },
    (_, i) => `${i % 3 === 0 ? "é▁" : ""}a token of some length, number ${i}`,
  );
  const metadata = await read(ggufFile({ "tokenizer.ggml.tokens": tokens, "general.name": "long" }, []));
  assert.deepEqual(textsField(metadata, "tokenizer.ggml.tokens"), tokens);
  assert.equal(lengthOfList(metadata, "tokenizer.ggml.tokens"), 40_000);
  for (const id of [0, 1, 39_999, 40_000, -1]) {
    assert.equal(textOfList(metadata, "tokenizer.ggml.tokens", id), tokens[id]);
  }
  assert.equal(metadata.get("general.name"), "long");
});

test("readGgufMetadata() refuses other files", async () => {
  const refused = (bytes: Uint8Array, why: RegExp) => assert.rejects(read(bytes), why);
  await refused(new Uint8Array(), /Cannot read a\.gguf: it ends after 0 bytes, expected a whole GGUF file/);
  await refused(new TextEncoder().encode("PK\x03\x04...."), /it begins with "PK\\u0003\\u0004"/);
  await refused(Uint8Array.from(header(1, 0)), /its version is 1, not 2 or 3/);
  await refused(Uint8Array.from(header(3 << 24, 0)), /it is for machines of the other byte order/);
  await refused(Uint8Array.from(header(3, 70_000)), /it has 70000 metadata entries, more than 65536/);
  await refused(entry(13), /it has a value of the unknown type 13/);
});

test("readGgufMetadata() refuses lengths that cannot be, at once", async () => {
  const refused = (bytes: Uint8Array, why: RegExp) => assert.rejects(read(bytes), why);
  await refused(entry(8, ...uint(2 ** 50, 8)), /it has a length of 1125899906842624, more than 67108864/);
  await refused(entry(8, ...uint(2 ** 20, 8)), /it ends after 45 bytes/);
  await refused(entry(9, ...uint(4, 4), ...uint(2 ** 23, 8)), /it has lists of 8388608 items, more than 4194304/);
  await refused(entry(9, ...uint(4, 4), ...uint(2 ** 20, 8)), /it ends after 49 bytes/);
  const nested = Array.from({ length: 9 }, () => [...uint(9, 4), ...uint(1, 8)]).flat();
  await refused(entry(9, ...nested), /it has lists in lists, more than 4 deep/);
});

test("readGgufMetadata() refuses endless counts without counting them", async () => {
  const much = 2 ** 22;
  const lists = new Uint8Array(6 * (much + 64));
  let at = 0;
  const put = (...bytes: number[]) => {
    lists.set(bytes, at);
    at += bytes.length;
  };
  put(...header(3, 6));
  for (let i = 0; i < 6; i++, at += much) {
    put(...uint(1, 8), 0x61 + i, ...uint(9, 4), ...uint(0, 4), ...uint(much, 8));
  }
  const endless: readonly [bytes: Uint8Array, why: RegExp][] = [
    [Uint8Array.from(header(3, 0, 2 ** 63)), /it has 9223372036854776000 tensors, more than 65536/],
    [Uint8Array.from(header(3, 2 ** 63)), /it has a length of 9223372036854776000, more than/],
    [entry(9, ...uint(4, 4), ...uint(2 ** 63, 8)), /it has a length of 9223372036854776000, more than/],
    [entry(8, ...uint(2 ** 63, 8)), /it has a length of 9223372036854776000, more than/],
    [lists.subarray(0, at), /it has lists of 8388608 items, more than 4194304/],
  ];
  for (const [bytes, why] of endless) {
    const started = performance.now();
    await assert.rejects(read(bytes), why);
    // A fraction of a second where nothing else runs.
    assert.ok(performance.now() - started < 30_000, String(why));
  }
});

test("readGgufMetadata() refuses every beginning of a file, and survives every wrong byte", async () => {
  const file = small.slice(0, small.length - (small.length % 32));
  const whole = [...(await read(small)).keys()].length;
  for (let length = 0; length < file.length; length++) {
    const cut = await read(file.subarray(0, length)).catch((error: Error) => error);
    if (!(cut instanceof Error)) assert.equal(cut.size, whole, `${length} bytes`);
  }
  const random = seededRandom(5);
  for (let i = 0; i < 500; i++) {
    const wrong = file.slice();
    wrong[Math.floor(random() * wrong.length)] = Math.floor(random() * 256);
    const found = await read(wrong).catch((error: Error) => error);
    if (found instanceof Error) {
      assert.match(
        found.message,
        /^Cannot read a\.gguf: .*, expected a whole GGUF file: download it again, or choose another/,
      );
    }
  }
});
