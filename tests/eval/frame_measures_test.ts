import { test } from "node:test";
import assert from "node:assert/strict";
import { framePsnr, sharpness, standardErrorOf, toneOf } from "./frame_measures.ts";

const frames = (count: number, value: (i: number) => number) => {
  const data = Uint8Array.from({ length: count * 4 * 2 * 3 }, (_, i) => value(i));
  return { width: 4, height: 2, count, data };
};

test("framePsnr() is 60 dB for equal frames and falls with the mean square error", () => {
  const black = frames(2, () => 0);
  assert.deepEqual(framePsnr(black, black).map(Math.round), [60, 60]);
  const [first, second] = framePsnr(black, frames(2, (i) => i < 24 ? 51 : 255));
  assert.ok(Math.abs(first - 20 * Math.log10(5)) < 1e-9);
  assert.ok(Math.abs(second) < 1e-9);
});

test("sharpness() adds the mean steps across and down of the frames in the range", () => {
  const ramp = frames(2, (i) => i < 24 ? 0 : 10 * (Math.floor(i / 3) % 4) + 100 * (Math.floor((i - 24) / 12)));
  assert.equal(sharpness(ramp, { from: 0, to: 1 }), 0);
  assert.equal(sharpness(ramp, { from: 1, to: 2 }), 110);
});

test("toneOf() gives mean colour and spread of the frames in the range", () => {
  const tone = toneOf(frames(2, (i) => i < 24 ? 200 : [10, 20, 30][i % 3]), { from: 1, to: 2 });
  assert.deepEqual(tone.colour, [10, 20, 30]);
  assert.ok(Math.abs(tone.deviation - Math.sqrt(200 / 3)) < 1e-9);
});

test("the standard error of a mean is the spread of its values over the root of their number", () => {
  assert.equal(standardErrorOf([18, 20, 22, 20]), Math.sqrt(8 / 3 / 4));
  assert.equal(standardErrorOf([20, 20, 20]), 0);
  assert.ok(Number.isNaN(standardErrorOf([20])));
});
