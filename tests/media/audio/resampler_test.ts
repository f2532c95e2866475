import assert from "node:assert/strict";
import { test } from "node:test";
import { Resampler } from "../../../lib/media/audio/resampler.ts";

function tone(rate: number, hz: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => 0.8 * Math.sin(2 * Math.PI * hz * i / rate));
}

function resample(x: Float32Array, from: number, to: number, part = x.length || 1): Float32Array {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < x.length; at += part) out.push(...resampler.push(x.subarray(at, at + part)));
  out.push(...resampler.flush());
  return Float32Array.from(out);
}

const rates = [1000, 7999, 8000, 11_025, 12_000, 16_000, 22_050, 32_000, 44_099, 44_100, 48_000, 96_001, 192_000];

for (const from of rates) {
  test(`from ${from} Hz to 16 kHz a tone keeps its phase and height`, () => {
    const hz = 440 * Math.min(1, from / 2000);
    const y = resample(tone(from, hz, from), from, 16_000);
    assert.equal(y.length, 16_000);
    const expected = tone(16_000, hz, y.length);
    const edge = Math.ceil(16_000 * 60 / from) + 60;
    let worst = 0;
    for (let i = edge; i < y.length - edge; i++) worst = Math.max(worst, Math.abs(y[i] - expected[i]));
    assert.ok(worst < 1e-4, `off by ${worst}`);
  });
}

test("n samples become ceil(n * to / from), also none and one", () => {
  for (const from of rates) {
    for (const n of [0, 1, 2, 3, 17, 1000]) {
      assert.equal(resample(new Float32Array(n), from, 16_000).length, Math.ceil(n * 16_000 / from), `${n} at ${from}`);
    }
  }
});

test("the parts in which samples come do not change the result", () => {
  const x = tone(44_100, 1234, 3000);
  const whole = resample(x, 44_100, 16_000);
  for (const part of [1, 7, 160, 2999]) assert.deepEqual(resample(x, 44_100, 16_000, part), whole);
});

test("a constant stays a constant", () => {
  const y = resample(new Float32Array(4000).fill(0.25), 12_000, 16_000);
  for (const value of y.subarray(200, y.length - 200)) assert.ok(Math.abs(value - 0.25) < 1e-6);
});

test("nothing of what the lower rate cannot hold comes through", () => {
  const y = resample(tone(48_000, 8_100, 48_000), 48_000, 16_000).subarray(400, 15_600);
  assert.ok(Math.max(...y.map(Math.abs)) < 1e-4);
});

test("equal rates copy", () => {
  const x = tone(16_000, 50, 100);
  assert.deepEqual(resample(x, 16_000, 16_000), x);
});

test("rates that no sound has are refused", () => {
  for (const rate of [0, -8000, 999, 16_000.5, NaN, Infinity, 768_001]) {
    assert.throws(() => new Resampler(rate, 16_000), /Cannot resample sound: a sample rate is/);
  }
});
