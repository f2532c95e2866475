import { test } from "node:test";
import assert from "node:assert/strict";
import {
  byteSource,
  encodeSafetensors,
  f32,
  openSafetensors,
  SafetensorsError,
  type Tensor,
  tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { seededRandom } from "../../support/random.ts";
import { safetensorsBytes } from "../../support/safetensors_bytes.ts";

const entry = (dtype: string, shape: string, from: number | string, to: number | string) =>
  `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${from},${to}]}`;

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await openSafetensors("m.safetensors", byteSource(bytes));
  } catch (error) {
    assert.ok(error instanceof SafetensorsError, `${error}`);
    return error.message;
  }
  throw new assert.AssertionError({ message: "the file was accepted" });
}

test("openSafetensors() reads every stored type, shape and the metadata back when the writer made the file", async () => {
  const tensors = new Map<string, Tensor>([
    ["a.f32", f32([2, 3], [0, -0, 1.5, Infinity, NaN, 1e-40])],
    ["b.f16", tensor("f16", [4], Uint16Array.of(0, 0x3c00, 0x7c00, 0xffff))],
    ["c.bf16", tensor("bf16", [1, 1, 2], Uint16Array.of(0x3f80, 0x8000))],
    ["d.i32", tensor("i32", [2], Int32Array.of(-(2 ** 31), 2 ** 31 - 1))],
    ["e.i8", tensor("i8", [3], Int8Array.of(-128, 0, 127))],
    ["f.u8", tensor("u8", [5], Uint8Array.of(0, 1, 2, 254, 255))],
    ["scalar", f32([], [7])],
  ]);
  const bytes = encodeSafetensors(tensors, new Map([["format", "pt"], ["note", "ü\n\u0000"]]));
  const file = await openSafetensors("m.safetensors", byteSource(bytes));
  assert.deepEqual([...file.metadata], [["format", "pt"], ["note", "ü\n\u0000"]]);
  assert.deepEqual([...file.tensors.keys()].sort(), [...tensors.keys()]);
  for (const [name, t] of tensors) assert.deepEqual(await file.read(name), t);
});

test("openSafetensors() reads only the header until a tensor is asked for", async () => {
  const bytes = encodeSafetensors(new Map([["a", f32([2], [1, 2])], ["b", f32([3], [3, 4, 5])]]));
  const reads: [number, number][] = [];
  const file = await openSafetensors("m", {
    size: bytes.length,
    read: (offset, length) => {
      reads.push([offset, length]);
      return Promise.resolve(bytes.slice(offset, offset + length));
    },
  });
  const { offset, byteLength } = file.tensors.get("b")!;
  assert.deepEqual(reads, [[0, 8], [8, bytes.length - 28]]);
  await file.read("b");
  assert.deepEqual(reads[2], [offset, byteLength]);
});

test("openSafetensors() reads tensors whose bytes are not aligned for their type", async () => {
  const data = Uint8Array.of(9, 0, 0, 0x80, 0x3f);
  const header = `{"u":${entry("U8", "[1]", 0, 1)},"x":${entry("F32", "[1]", 1, 5)}}`;
  const file = await openSafetensors("m", byteSource(safetensorsBytes(header, data)));
  assert.deepEqual((await file.read("x")).data, Float32Array.of(1));
});

test("openSafetensors() names file and reason when the header length cannot be right", async () => {
  assert.match(
    await refusal(new Uint8Array(3)),
    /^Cannot read m\.safetensors: the file has 3 bytes, expected at least 8/,
  );
  const beyond = safetensorsBytes("{}");
  beyond[0] = 200;
  assert.match(await refusal(beyond), /header length is 200 bytes, the file has only 2 bytes after it$/);
  const huge = safetensorsBytes("{}");
  huge.fill(255, 0, 8);
  assert.match(await refusal(huge), /header length is 18446744073709551615 bytes, expected at most 100000000$/);
});

test("openSafetensors() refuses a header that is not a JSON object of tensors", async () => {
  assert.match(await refusal(safetensorsBytes('{"a":')), /header is not JSON in UTF-8/);
  assert.match(await refusal(safetensorsBytes("")), /header is not JSON in UTF-8/);
  const invalidUtf8 = safetensorsBytes('{"aa":1}');
  invalidUtf8[10] = 0xff;
  assert.match(await refusal(invalidUtf8), /header is not JSON in UTF-8/);
  assert.match(await refusal(safetensorsBytes("[]")), /header is \[\], expected an object of tensors$/);
  assert.match(await refusal(safetensorsBytes("null")), /header is null, expected an object/);
  assert.match(
    await refusal(safetensorsBytes('{"a":3}')),
    /tensor "a" is invalid, its entry is 3, expected an object$/,
  );
  assert.match(await refusal(safetensorsBytes('{"__metadata__":{"n":1}}')), /metadata "n" is 1, expected a string$/);
});

test("openSafetensors() refuses deep and large headers before it parses them", async () => {
  const refused = async (header: string, reason: RegExp) => {
    const parse = JSON.parse;
    JSON.parse = () => assert.fail("the header was parsed");
    try {
      assert.match(await refusal(safetensorsBytes(header)), reason);
    } finally {
      JSON.parse = parse;
    }
  };
  await refused("[".repeat(200_000), /header has more than 3 levels, expected an object of tensors$/);
  await refused('{"a":{"shape":[[0]]}}', /more than 3 levels/);
  await refused('{"a":'.repeat(4), /more than 3 levels/);
  await refused(`{"a":[${"0,".repeat(4_000_000)}0]}`, /header has more than 4000000 values/);
});

test("openSafetensors() refuses entries whose type, shape or bytes do not fit, naming the tensor", async () => {
  const one = (text: string, size = 4) => refusal(safetensorsBytes(`{"w":${text}}`, size));
  assert.match(
    await one(entry("F31", "[1]", 0, 4)),
    /tensor "w" is invalid, its dtype is "F31", expected one of BOOL, /,
  );
  assert.match(await one(entry("toString", "[1]", 0, 4)), /its dtype is "toString"/);
  assert.match(await one(entry("F32", "[-1]", 0, 4)), /its shape is \[-1\], expected a list of whole numbers$/);
  assert.match(await one(entry("F32", "[1.5]", 0, 4)), /its shape is \[1.5\]/);
  assert.match(await one('{"dtype":"F32","data_offsets":[0,4]}'), /its shape is missing/);
  assert.match(await one('{"dtype":"F32","shape":[1]}'), /its data_offsets are missing, expected two whole numbers$/);
  assert.match(
    await one(entry("F32", "[1]", 4, 0)),
    /its bytes are 4 to 0, expected a range inside the 4 bytes of data/,
  );
  assert.match(await one(entry("F32", "[2]", 0, 8)), /its bytes are 0 to 8, expected a range inside the 4 bytes/);
  assert.match(await one(entry("F32", "[1]", 0, "1e300")), /its data_offsets are \[0,1e\+300\]/);
  assert.match(await one(entry("F32", "[2]", 0, 4)), /it has 4 bytes, expected 8 for F32 \[2\]$/);
  assert.match(
    await one(entry("F32", "[9007199254740991,9007199254740991,0.5e1]", 0, 4)),
    /expected 16225927\d+ for F32/,
  );
});

test("openSafetensors() refuses overlaps, holes, repeated names and names of object prototypes", async () => {
  const f = (from: number) => entry("F32", "[1]", from, from + 4);
  assert.match(
    await refusal(safetensorsBytes(`{"a":${entry("F32", "[2]", 0, 8)},"b":${f(4)}}`, 8)),
    /tensor "b" is invalid, it overlaps the tensor before it: it starts at byte 4, expected 8$/,
  );
  assert.match(await refusal(safetensorsBytes(`{"a":${f(0)},"b":${f(8)}}`, 12)), /"b" is invalid, it leaves a gap/);
  assert.match(await refusal(safetensorsBytes(`{"a":${f(0)}}`, 5)), /expected no bytes outside the tensors$/);
  assert.match(await refusal(safetensorsBytes(`{"a":${f(0)},"\\u0061":${f(0)}}`, 4)), /key "a" twice/);
  assert.match(await refusal(safetensorsBytes(`{"a":{"dtype":"F32","dtype":"F32"}}`, 4)), /key "dtype" twice/);
  for (const name of ["__proto__", "constructor", "prototype"]) {
    assert.match(await refusal(safetensorsBytes(`{"${name}":${f(0)}}`, 4)), new RegExp(`"${name}" is not allowed$`));
  }
});

test("TensorFile.read() names the tensor when it is absent, of an unreadable type, empty or truncated", async () => {
  const header = `{"big":${entry("I64", "[1]", 0, 8)},"none":${entry("F32", "[0]", 0, 0)}}`;
  const file = await openSafetensors("m", byteSource(safetensorsBytes(header, 8)));
  await assert.rejects(file.read("x"), {
    name: "SafetensorsError",
    message: 'Cannot read tensor "x": m does not have it',
  });
  await assert.rejects(file.read("big"), /^SafetensorsError: Cannot read tensor "big" of m: its type is I64, expected/);
  await assert.rejects(file.read("none"), /tensor "none" of m: it has no elements$/);
  const bytes = encodeSafetensors(new Map([["w", f32([4], [1, 2, 3, 4])]]));
  const short = await openSafetensors("m", {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, Math.min(offset + length, bytes.length - 1))),
  });
  await assert.rejects(short.read("w"), /got 15 bytes at byte \d+, expected 16, the file is truncated$/);
});

test("openSafetensors() either reads or throws SafetensorsError when bytes are changed or cut at random", async () => {
  const good = encodeSafetensors(
    new Map<string, Tensor>([["a", f32([2, 3], [1, 2, 3, 4, 5, 6])], [
      "b.c",
      tensor("f16", [4], Uint16Array.of(1, 2, 3, 4)),
    ]]),
    new Map([["k", "v"]]),
  );
  const random = seededRandom(7);
  let refused = 0;
  for (let round = 0; round < 3000; round++) {
    let bytes = good.slice();
    for (let n = 1 + Math.floor(random() * 3); n > 0; n--) {
      bytes[Math.floor(random() * bytes.length * (random() < 0.7 ? 0.75 : 1))] = Math.floor(random() * 256);
    }
    if (random() < 0.2) bytes = bytes.slice(0, Math.floor(random() * bytes.length));
    try {
      const file = await openSafetensors("m", byteSource(bytes));
      for (const [name, t] of file.tensors) assert.equal((await file.read(name)).data.byteLength, t.byteLength);
    } catch (error) {
      assert.ok(error instanceof SafetensorsError, `round ${round}: ${error}`);
      refused++;
    }
  }
  assert.ok(refused > 1500, `only ${refused} of 3000 were refused`);
});

test("openSafetensors() names files of other formats and what helps", async () => {
  const padded = (text: string) => new TextEncoder().encode(text.padEnd(64));
  const found = await Promise.all(
    [
      "version https://git-lfs.github.com/spec/v1",
      "GGUF\x03\0\0\0",
      "PK\x03\x04\0\0\0\0",
      "<!doctype html>",
      "hello you",
    ]
      .map((text) => refusal(padded(text))),
  );
  assert.deepEqual(found.map((message) => message.replace("Cannot read m.safetensors: ", "")), [
    'it is a pointer of Git LFS, expected a safetensors file: run "git lfs pull"',
    "it is a GGUF file, expected a safetensors file: svc model convert makes one of it",
    "it is a torch checkpoint or another zip archive, expected a safetensors file: svc model convert makes one of a " +
    "checkpoint",
    "it is a web page or XML, expected a safetensors file: download it again",
    "the header length is 8032487073324492136 bytes, expected at most 100000000",
  ]);
});
