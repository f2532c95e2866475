import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSequenceState } from "../../../../lib/engines/gguf_text/images/sequence_state.ts";
import { joinBytes } from "../../../../lib/media/images/bytes.ts";

const ints = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const GGSQ = 0x67677371;
const F16 = 1;

/** A cell of one sequence; of three positions where it has a place. */
const cells = (count: number, placed: boolean): number[] =>
  Array.from({ length: count }, (_, i) => [i, 1, ...placed ? [i, 7] : [], 0]).flat();
/** Keys of two layers in rows of 4 bytes, and their values in rows, or in columns of two numbers. */
const keysAndValues = (count: number, transposed: boolean): Uint8Array => {
  const rows = [0, 1].flatMap(() => [F16, 4, 0, ...new Array(count).fill(0x3c00)]);
  const columns = [0, 1].flatMap(() => [F16, 2, 2, ...new Array(count).fill(0x4000)]);
  return ints(transposed ? 1 : 0, 2, ...rows, ...transposed ? columns : rows);
};
const cache = (count: number, placed: boolean, transposed: boolean): Uint8Array[] => [
  ints(1, count, ...cells(count, placed)),
  keysAndValues(count, transposed),
];
const state = (tokens: number[], ...parts: Uint8Array[]): Uint8Array =>
  joinBytes([ints(GGSQ, 2, tokens.length, ...tokens), ...parts]);

test("readSequenceState() rewrites a state for a context of several sequences", () => {
  for (const transposed of [false, true]) {
    const recurrent = ints(1, 2, 0, 0, 2, F16, 99);
    const read = readSequenceState(state([5, -1, -1], ...cache(3, false, transposed), recurrent));
    assert.deepEqual([read.positions, read.cells], [3, 3]);
    assert.deepEqual(
      joinBytes(read.parts(3, [5, -8, -9, 4])),
      joinBytes([
        ints(GGSQ, 3, 3, 5, -8, -9, 3, 3, ...cells(3, false)),
        ...[keysAndValues(3, transposed), ints(0, 0), recurrent],
      ]),
    );
  }
});

test("readSequenceState() counts cells that share positions, and gives each its token", () => {
  const sliding = cache(2, true, false);
  const read = readSequenceState(state([5, -1], ...cache(5, true, false), ...sliding));
  assert.deepEqual([read.positions, read.cells], [2, 5]);
  const wide = (count: number) => Array.from({ length: count }, (_, i) => [i, 1, i, 7, -1, 0]).flat();
  assert.deepEqual(
    joinBytes(read.parts(1, [5, -1])),
    joinBytes([
      ints(GGSQ, 3, 2, 5, -1, 1, 5, ...wide(5)),
      ...[keysAndValues(5, false), ints(1, 2, ...wide(2)), keysAndValues(2, false)],
    ]),
  );
});

test("readSequenceState() refuses what is not a state of its version, and survives anything", () => {
  const whole = state([5, -1, -1], ...cache(3, false, false));
  const other = whole.slice();
  other[4] = 3;
  assert.throws(() => readSequenceState(other), /its state is not of version 2/);
  assert.throws(() => readSequenceState(new Uint8Array(3)), /its state is not of version 2/);
  assert.throws(() => readSequenceState(whole.slice(0, whole.length - 1)), /its state has no keys and values/);
  fc.assert(fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
    const changed = whole.slice();
    changed[at] = byte;
    try {
      assert.ok(readSequenceState(changed).cells > 0);
    } catch (error) {
      assert.match((error as Error).message, /^its state /);
    }
  }));
});
