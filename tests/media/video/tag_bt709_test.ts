import assert from "node:assert/strict";
import { test } from "node:test";
import { BitReader, BitWriter, tagBt709 } from "../../../lib/media/video/encoders/tag_bt709.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16));

// avcC records of 96x64 streams, and of the same whose decoder (ffprobe 5.1) says bt709, limited range.
const RECORDS = {
  "minih264: no VUI": [
    "0142000affe100086742000aa686264001000568ce02bc80",
    "0142000affe1000c6742000aa686269a8080808101000568ce02bc80",
  ],
  "x264, High profile: a VUI with timing but no colour": [
    "01640014ffe1001567640014acb4313420000003002000000611e2855401000468ef3cb0",
    "01640014ffe1001a67640014acb43134d4040405000003000100000300308f142aa001000468ef3cb0",
  ],
} as const;

for (const [name, [untagged, tagged]] of Object.entries(RECORDS)) {
  test(`tagBt709() writes the colour into the parameter set of ${name}`, () => {
    assert.deepEqual(tagBt709(bytes(untagged)), bytes(tagged));
  });

  test(`tagBt709() changes nothing when the colour is there: ${name}`, () => {
    assert.deepEqual(tagBt709(bytes(tagged)), bytes(tagged));
  });
}

/** A record of one parameter set: High profile, order count of type 1, interlaced, cropped, VUI with what is asked for. */
function record(signal: readonly (readonly [value: number, bits: number])[]): Uint8Array {
  const set = new BitWriter();
  set.bits(0x6764001e, 32);
  for (const value of [0, 1, 0, 0]) unsigned(set, value); // id, chroma, depths
  set.bits(0b0_1, 2); // lossless, scaling lists
  set.bit(1);
  for (let i = 0; i < 16; i++) unsigned(set, 1); // a list of 16 steps of +1
  set.bits(0, 7);
  for (const value of [0, 1]) unsigned(set, value); // frame number, order type
  set.bit(0);
  for (const value of [0, 0, 1, 3]) unsigned(set, value);
  unsigned(set, 2); // reference frames
  set.bit(0);
  for (const value of [5, 1]) unsigned(set, value); // size
  set.bits(0b0_0_1_1, 4); // fields, 8x8, cropping
  for (const value of [0, 1, 0, 1]) unsigned(set, value);
  set.bits(0b1_1, 2); // VUI with an aspect ratio of its own
  set.bits(255, 8);
  set.bits(0x00040003, 32);
  set.bits(0b1_0, 2); // overscan
  for (const [value, bits] of signal) set.bits(value, bits);
  set.bits(0b0_0_0_0_0_0, 6);
  set.bit(1);
  const data = guarded(set.bytes());
  return new Uint8Array([1, 0x64, 0, 0x1e, 0xff, 0xe1, 0, data.length, ...data, 1, 0, 1, 0x68]);
}

function unsigned(writer: BitWriter, value: number): void {
  const bits = 32 - Math.clz32(value + 1);
  writer.bits(0, bits - 1);
  writer.bits(value + 1, bits);
}

function guarded(data: Uint8Array): number[] {
  const hex = data.reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
  const out: number[] = [];
  for (const byte of bytes(hex)) {
    if (byte <= 3 && out.at(-1) === 0 && out.at(-2) === 0) out.push(3);
    out.push(byte);
  }
  return out;
}

const COLOUR = [[0b1_101_0_1, 6], [0x010101, 24]] as const;

test("tagBt709() finds its place after scaling lists, cropping, aspect ratio and overscan", () => {
  assert.deepEqual(tagBt709(record([[0, 1]])), record(COLOUR));
});

test("tagBt709() replaces another colour", () => {
  assert.deepEqual(tagBt709(record([[0b1_101_1_1, 6], [0x090e09, 24]])), record(COLOUR)); // BT.2020, full range
  assert.deepEqual(tagBt709(record([[0b1_101_1_0, 6]])), record(COLOUR)); // full range alone
});

test("tagBt709() rejects a record that ends too early", () => {
  const whole = bytes(RECORDS["minih264: no VUI"][0]);
  assert.throws(() => tagBt709(whole.subarray(0, 7)), RangeError);
  assert.throws(() => tagBt709(whole.subarray(0, 12)), RangeError);
});

test("BitReader reads exponential-Golomb numbers and stops at the end", () => {
  const reader = new BitReader(new Uint8Array([0b1_010_011_0, 0b0100_0010, 0b1_0000000]));
  assert.deepEqual([reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()], [0, 1, 2, 3]);
  assert.equal(reader.signed(), -2);
  assert.throws(() => reader.unsigned(), /Cannot read bit 24: the data ends before it/);
});
