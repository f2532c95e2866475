import { test } from "node:test";
import assert from "node:assert/strict";
import { normalNoise, philox4x32 } from "../../../lib/models/noise/philox.ts";

// @row world-session > Rules of the world server > Noise by counter
test("philox4x32() gives the known answers of the Random123 library", () => {
  const answer = (counter: number[], key: number[]) => [...philox4x32(counter, key)].map((x) => x.toString(16));
  const ones = 0xffffffff;
  assert.deepEqual(answer([0, 0, 0, 0], [0, 0]), ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]);
  assert.deepEqual(answer([ones, ones, ones, ones], [ones, ones]), ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]);
  assert.deepEqual(
    answer([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
    ["d16cfe09", "94fdcceb", "5001e420", "24126ea1"],
  );
});

test("normalNoise() follows its documented layout", () => {
  const seed = 0x0123456789abcdefn;
  const noise = normalNoise(seed, 3, 8);
  const [a, b, c, d] = philox4x32([1, 0, 3, 0], [0x89abcdef, 0x01234567]);
  const radius = (x: number) => Math.sqrt(-2 * Math.log(((x >>> 9) + 0.5) / 2 ** 23));
  const turn = (x: number) => 2 * Math.PI * (x >>> 8) / 2 ** 24;
  assert.deepEqual(
    noise.slice(4),
    Float32Array.of(
      radius(a) * Math.cos(turn(b)),
      radius(a) * Math.sin(turn(b)),
      radius(c) * Math.cos(turn(d)),
      radius(c) * Math.sin(turn(d)),
    ),
  );
});

// @row world-session > Rules of the world server > Noise by counter
test("normalNoise() begins with the same numbers whatever the length", () => {
  const long = normalNoise(7n, 1, 103);
  for (const length of [1, 2, 3, 4, 5, 102]) assert.deepEqual(normalNoise(7n, 1, length), long.slice(0, length));
});

test("normalNoise() is standard normal and different for every seed and step", () => {
  const n = 200_000;
  const noise = normalNoise(42n, 0, n);
  const moment = (power: number) => noise.reduce((sum, x) => sum + x ** power, 0) / n;
  assert.ok(Math.abs(moment(1)) < 0.01, `mean ${moment(1)}`);
  assert.ok(Math.abs(moment(2) - 1) < 0.02, `variance ${moment(2)}`);
  assert.ok(Math.abs(moment(4) - 3) < 0.1, `fourth moment ${moment(4)}`);
  for (const other of [normalNoise(43n, 0, n), normalNoise(42n, 1, n), normalNoise(42n + (1n << 32n), 0, n)]) {
    const correlation = noise.reduce((sum, x, i) => sum + x * other[i], 0) / n;
    assert.ok(Math.abs(correlation) < 0.01, `correlation ${correlation}`);
  }
});

test("normalNoise() is finite for the largest seed", () => {
  assert.ok(normalNoise((1n << 64n) - 1n, 4, 4096).every(Number.isFinite));
});
