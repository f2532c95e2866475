import { test } from "node:test";
import assert from "node:assert/strict";
import { matchColours, rgbToLab } from "../../../lib/models/arworld/lab_transfer.ts";
import { seededRandom } from "../../support/random.ts";

const PIXELS = 64;

function frame(seed: number, brightness: readonly number[], contrast: number): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: PIXELS * 3 }, (_, i) => brightness[i % 3] + contrast * (random() - 0.5));
}

function concat(...frames: Float32Array[]): Float32Array {
  return Float32Array.from(frames.flatMap((f) => [...f]));
}

function spread(data: Float32Array): number[] {
  const lab = rgbToLab(data);
  return [0, 1, 2].flatMap((c) => {
    const values = lab.filter((_, i) => i % 3 === c);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return [mean, Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length)];
  });
}

function near(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  for (let i = 0; i < expected.length; i++) {
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `[${i}] is ${actual[i]}, expected ${expected[i]}`);
  }
}

test("rgbToLab() gives the published values of the primaries, black and white", () => {
  near(rgbToLab(Float32Array.of(255, 255, 255)), [100, 0, 0], 0.02);
  near(rgbToLab(Float32Array.of(0, 0, 0)), [0, 0, 0], 1e-3);
  near(rgbToLab(Float32Array.of(255, 0, 0)), [53.24, 80.09, 67.2], 0.05);
  near(rgbToLab(Float32Array.of(0, 255, 0)), [87.73, -86.18, 83.18], 0.05);
  near(rgbToLab(Float32Array.of(0, 0, 255)), [32.3, 79.19, -107.86], 0.05);
});

test("matchColours() gives every frame the colours of frame 0 at strength 1", () => {
  const first = frame(1, [120, 100, 80], 60);
  const data = concat(first, frame(2, [150, 140, 150], 30), frame(3, [70, 90, 60], 50));
  matchColours({ data, frames: 3, strength: 1 });
  near(data.subarray(0, PIXELS * 3), first, 0.01);
  for (const k of [1, 2]) near(spread(data.subarray(k * PIXELS * 3, (k + 1) * PIXELS * 3)), spread(first), 0.05);
});

test("matchColours() blends the correction by strength and changes nothing at 0", () => {
  const frames = concat(frame(1, [120, 100, 80], 60), frame(2, [150, 140, 150], 30));
  const at = (strength: number) => {
    const data = frames.slice();
    matchColours({ data, frames: 2, strength });
    return data;
  };
  assert.deepEqual(at(0), frames);
  const full = at(1);
  near(at(0.3), frames.map((value, i) => value + 0.3 * (full[i] - value)), 1e-3);
});

test("matchColours() returns the last corrected frame's colours as the target of the next block", () => {
  const first = concat(frame(1, [120, 100, 80], 60), frame(2, [150, 140, 150], 30));
  const target = matchColours({ data: first, frames: 2, strength: 0.5 });
  const last = spread(first.subarray(PIXELS * 3));
  near([target[0], target[3], target[1], target[4], target[2], target[5]], last, 1e-3);
  const next = frame(5, [90, 90, 90], 40);
  matchColours({ data: next, frames: 1, strength: 1 }, target);
  near(spread(next), last, 0.05);
});

test("matchColours() moves a frame of one flat colour to the target's mean", () => {
  const target = matchColours({ data: frame(1, [120, 100, 80], 60), frames: 1, strength: 0 });
  const flat = new Float32Array(PIXELS * 3).fill(40);
  matchColours({ data: flat, frames: 1, strength: 1 }, target);
  near(spread(flat), [target[0], 0, target[1], 0, target[2], 0], 0.05);
});

test("matchColours() keeps results within 0 and 255", () => {
  const target = Float64Array.of(95, 0, 0, 60, 30, 30);
  const data = frame(4, [128, 128, 128], 250);
  matchColours({ data, frames: 1, strength: 1 }, target);
  assert.ok(data.every((value) => value >= 0 && value <= 255));
});
