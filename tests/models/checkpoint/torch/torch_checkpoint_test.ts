import assert from "node:assert/strict";
import { hostilePickles } from "../../../support/hostile_pickles.ts";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { byteSource } from "../../../../lib/compute/tensor/mod.ts";
import type { SvcError } from "../../../../lib/errors/svc_error.ts";
import { openStateDict } from "../../../../lib/models/checkpoint/torch/state_dict.ts";
import { dictionary, global, number, storage, tensor, text, tuple, word } from "../../../support/pickle_bytes.ts";
import { storedZip } from "../../../support/stored_zip_bytes.ts";

const file = (name: string) => new Uint8Array(readFileSync(new URL(`data/${name}`, import.meta.url)));

async function read(name: string, bytes = file(name), part?: string): Promise<Map<string, unknown>> {
  const { tensors } = await openStateDict(name, byteSource(bytes), part);
  const out = new Map<string, unknown>();
  for (const { name, dtype, shape, byteLength, read } of tensors) {
    const data: number[] = [];
    for await (const bytes of read()) data.push(...bytes);
    assert.equal(data.length, byteLength, name);
    out.set(name, [dtype, shape.join("x"), Buffer.from(data)]);
  }
  return out;
}

const floats = (...values: number[]) => Buffer.from(new Float32Array(values).buffer);
const base = Array.from({ length: 24 }, (_, i) => i);
const expected = new Map<string, unknown>([
  ["a.weight", ["F32", "4x6", floats(...base)]],
  ["a.t", ["F32", "6x4", floats(...base.map((_, i) => 6 * (i % 4) + Math.floor(i / 4)))]],
  ["a.part", ["F32", "2x3", floats(8, 9, 10, 14, 15, 16)]],
  ["half", ["F16", "3", Buffer.from(Uint16Array.of(0x3e00, 0xc000, 0x7bff).buffer)]],
  ["bf16", ["BF16", "2", Buffer.from(Uint16Array.of(0x3fc0, 0xc000).buffer)]],
  ["f64", ["F64", "1", Buffer.from(Float64Array.of(1e300).buffer)]],
  ["i64", ["I64", "2", Buffer.from(BigInt64Array.of(2n ** 60n, -1n).buffer)]],
  ["i32", ["I32", "1", Buffer.from(Int32Array.of(7).buffer)]],
  ["bool", ["BOOL", "2", Buffer.from([1, 0])]],
  ["scalar", ["F32", "", floats(3.25)]],
  ["empty", ["F32", "0x3", Buffer.alloc(0)]],
  ["param", ["F32", "2x2", floats(1, 1, 1, 1)]],
]);

test("openStateDict() reads what torch.save writes, in today's format and in the one used before 1.6", async () => {
  assert.deepEqual(await read("plain.pth"), expected);
  assert.deepEqual(await read("legacy.pth"), expected);
  assert.deepEqual(await read("protocol5.pth"), expected);
  assert.deepEqual(await read("legacy5.pth"), expected);
  assert.deepEqual(await read("float8.pt"), new Map([["f8", ["F8_E4M3", "2", Buffer.from([56, 64])]]]));
});

test("openStateDict() finds the tensors of a training run, and asks where there are two of a kind", async () => {
  const ones = new Map([["w", ["F32", "2", floats(1, 1)]]]);
  assert.deepEqual(await read("trainer.ckpt"), ones);
  assert.deepEqual(await read("two_parts.pt", file("two_parts.pt"), "model"), ones);
  await refused(read("two_parts.pt"), /one of "ema", "model"; name it with `part`$/);
  await refused(read("two_parts.pt", file("two_parts.pt"), "x"), /no part "x" has tensors/);
});

async function refused(reading: Promise<unknown>, pattern: RegExp): Promise<void> {
  await assert.rejects(reading, (error: SvcError) => {
    assert.equal(error.code, "checkpoint_refused");
    assert.match(error.message, pattern);
    return true;
  });
}

test("openStateDict() refuses classes that are not data by their name", async () => {
  await refused(read("foreign.ckpt"), /contains "argparse\.Namespace", which is not data/);
  await refused(read("module.pt"), /contains "torch\.nn\.modules\.linear\.Linear"/);
  await refused(read("complex.pt"), /contains "torch\.ComplexFloatStorage"/);
});

const archive = (pickle: number[], wrong = {}, data = new Uint8Array(16)) =>
  storedZip([["m/data.pkl", Uint8Array.from(pickle)], ["m/data/0", data]], wrong);

test("openStateDict() refuses every instruction that could run something", async () => {
  const calls: [number[], RegExp][] = [
    [[...global("os.system"), ...word("id"), 0x85, 0x52, 0x2e], /contains "os\.system"/],
    [[...global("builtins.eval"), 0x2e], /contains "builtins\.eval"/],
    [[...word("os"), ...word("system"), 0x93, 0x2e], /contains "os\.system"/],
    [[0x69, ...text("os\nsystem\n"), 0x2e], /the instruction 0x69/],
    [[0x82, 1, 0x2e], /the instruction 0x82/],
    [[0x92, 0x2e], /the instruction 0x92/],
    [[...word("os.system"), 0x29, 0x52, 0x2e], /calls what is not a known function/],
    [[...global("torch._utils._rebuild_parameter"), ...word("x"), 0x85, 0x52, 0x2e], /in a way that is not known/],
    [[0x50, ...text("id\n"), 0x2e], /the instruction 0x50/],
    [[0x5d, 0x7d, 0x62, 0x2e], /gives attributes to what has none/],
    [[0x80, 6, 0x4e, 0x2e], /later protocol/],
  ];
  for (const [pickle, pattern] of calls) await refused(read("x.pt", archive([0x80, 2, ...pickle])), pattern);
});

test("openStateDict() refuses pickles that are damaged or of absurd sizes", async () => {
  const damaged: [number[], RegExp][] = [
    [[0x80], /cut off/],
    [[0x58, 255, 255, 255, 255], /cut off/],
    [[0x8a, 200, 1], /integer of 200 bytes/],
    [[0x2e], /takes more than it has/],
    [[0x28, 0x2e], /list without an end/],
    [[0x74, 0x2e], /no beginning/],
    [[0x68, 9, 0x2e], /refers to what it does not contain/],
    [[0x4e, 0x4e, 0x61, 0x2e], /not a list/],
    [[0x5d, 0x2e], /not a dictionary/],
    [[0x7d, 0x2e], /no tensors/],
  ];
  for (const [pickle, pattern] of damaged) await refused(read("x.pt", archive(pickle)), pattern);
});

test("openStateDict() refuses pickles that cost more than a model's, in time and memory, by what they ask for", async () => {
  for (const [what, pickle] of hostilePickles()) {
    const asked = read("x.pt", storedZip([["m/data.pkl", pickle]]));
    await assert.rejects(asked, /more than 12000000 objects and entries/, what);
  }
});

test("openStateDict() has no dictionary whose keys are made to have one hash", async () => {
  const pairs = [-1, 0.5, 2 ** 40, 5].flatMap((key, i) => [...float(key), 0x4b, i]);
  const pickle = [0x80, 2, 0x7d, 0x28, ...word("w"), ...tensor(storage("0", 4), 0, [4], [1]), ...pairs, 0x75, 0x2e];
  assert.deepEqual([...(await read("x.pt", archive(pickle))).keys()], ["w"]);
});

/** Instructions that push a float. */
function float(value: number): number[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [0x47, ...new Uint8Array(view.buffer)];
}

test("openStateDict() never writes out a list whose lists contain each other twice, again and again", async () => {
  // Sixty bytes a dozen, and 2^40 items as text.
  const lists = Array.from({ length: 40 }, (_, i) => [0x5d, 0x28, 0x68, i, 0x68, i, 0x65, 0x71, i + 1]);
  const doubled = [0x5d, 0x71, 0, ...lists.flat(), 0x68, 40];
  await refused(read("x.pt", archive([...doubled, 0x4e, 0x93, 0x2e])), /names a class by what is not text/);
  const device = [...doubled, ...global("torch.device"), 0x68, 40, 0x85, 0x52, 0x2e];
  await refused(read("x.pt", archive(device)), /calls torch\.device in a way that is not known/);
});

test("openStateDict() refuses tensors beyond their storages, and storages beyond their files", async () => {
  const one = (value: number[]) => archive(dictionary(["w", value]));
  assert.equal((await read("x.pt", one(tensor(storage("0", 4), 1, [3], [1])))).size, 1);
  await refused(read("x.pt", one(tensor(storage("0", 4), 2, [3], [1]))), /tensor of 5 elements in a storage of 4/);
  await refused(read("x.pt", one(tensor(storage("0", 4), 0, [2, 2], [4, 1]))), /6 elements in a storage of 4/);
  await refused(read("x.pt", one(tensor(storage("0", 5), 0, [5], [1]))), /storage "0" has 16 bytes, expected 20/);
  await refused(read("x.pt", one(tensor(storage("../0", 4), 0, [4], [1]))), /is missing/);
  await refused(read("x.pt", one(tensor(storage("0", 4), 0, [2 ** 40], [0]))), /tensors overlap/);
  await refused(read("x.pt", one(tensor(storage("0", 4), 0, new Array(70).fill(1), new Array(70).fill(1)))), /70 axes/);
});

test("openStateDict() refuses tensors that are views of other numbers than those stored", async () => {
  for (const [view, at] of [["neg", 6], ["conj", 6], ["neg", 7]] as const) {
    const type = at === 7 ? [global("torch.float32")] : [];
    const made = (on: number) =>
      dictionary(["w", [
        ...global(`torch._utils._rebuild_tensor_v${at - 4}`),
        ...tuple(
          storage("0", 1),
          ...[number(0), tuple(number(1)), tuple(number(1)), [0x89], [0x7d], ...type],
          [0x7d, ...word(view), on, 0x73],
        ),
        0x52,
      ]]);
    assert.deepEqual([...(await read("view.pt", archive(made(0x89)))).keys()], ["w"]);
    await refused(read("view.pt", archive(made(0x88))), /negative or conjugate of what is stored/);
  }
});

test("openStateDict() reads archives whose sizes and places have 64 bits, and refuses those that lie", async () => {
  const wide = archive(dictionary(["w", tensor(storage("0", 4), 0, [4], [1])]), { wide: true });
  assert.deepEqual([...(await read("x.pt", wide)).keys()], ["w"]);
  // The number of files, where the directory is, and where its end is.
  for (const [fromEnd, pattern] of [[66, /lists \d+ files/], [50, /cut off/], [34, /cut off/]] as const) {
    const lying = wide.slice();
    lying[lying.length - fromEnd + 6] = 1; // adds 2^48
    await refused(read("x.pt", lying), pattern);
  }
});

test("openStateDict() refuses archives that are packed, damaged or overlap", async () => {
  const good = dictionary(["w", tensor(storage("0", 4), 0, [4], [1])]);
  await refused(read("x.pt", archive(good, { method: 8 })), /is compressed, expected plain files/);
  await refused(read("x.pt", archive(good, { flags: 1 })), /is encrypted/);
  await refused(read("x.pt", archive(good, { overlap: true })), /share bytes/);
  await refused(read("x.pt", archive(good, { overlap: true, wide: true })), /share bytes/);
  await refused(read("x.pt", archive(good, { extraSize: 1e9 })), /goes beyond its end/);
  await refused(read("x.pt", archive(good, { count: 60_000 })), /lists 60000 files/);
  await refused(read("x.pt", archive(good).slice(0, -30)), /no directory|damaged|ends before/);
  await refused(read("x.pt", storedZip([["m/other", new Uint8Array(3)]])), /no data\.pkl/);
  const big = storedZip([["m/data.pkl", Uint8Array.from(good)], ["m/byteorder", Uint8Array.from(text("big"))]]);
  await refused(read("x.pt", big), /byte order is "big"/);
  await refused(read("x.pt", new Uint8Array(100)), /not a checkpoint of torch\.save/);
  await refused(read("x.pt", new Uint8Array(0)), /not a checkpoint of torch\.save/);
});

test("openStateDict() survives every cut and every changed byte of a checkpoint", async () => {
  for (const name of ["trainer.ckpt", "legacy.pth"]) {
    const whole = file(name);
    for (let at = 0; at < whole.length; at += 7) {
      await refusedOrRead(whole.slice(0, at));
      const changed = whole.slice();
      changed[at] ^= 0x5f;
      await refusedOrRead(changed);
    }
  }
});

async function refusedOrRead(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await read("x.pt", bytes);
  } catch (error) {
    assert.equal((error as SvcError).code, "checkpoint_refused", `${error}`);
  }
}
