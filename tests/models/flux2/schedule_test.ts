import assert from "node:assert/strict";
import { test } from "node:test";
import { eulerStep, firstLevel, noiseLevels, predictedImage } from "../../../lib/models/flux2/schedule.ts";

test("noiseLevels() begins with pure noise and ends with none for any number of steps", () => {
  for (const steps of [1, 2, 4, 100]) {
    const levels = noiseLevels(12, steps);
    assert.equal(levels.length, steps + 1);
    assert.equal(levels[0], 1);
    assert.equal(levels[steps], 0);
    assert.ok(levels.every((level, i) => i === 0 || level < levels[i - 1]));
  }
});

test("firstLevel() takes a strength that is a level itself, rounded as levels are", () => {
  const levels = noiseLevels(256, 4);
  assert.equal(firstLevel(levels, 1), 0);
  assert.equal(firstLevel(levels, levels[2]), 2);
  assert.equal(firstLevel(levels, 0.5), 4, "below the last level no step is left");
  assert.equal(firstLevel(levels, 0), 4);
});

test("Euler steps along the true velocity end at the predicted image", () => {
  const [image, noise] = [Float32Array.of(0.5, -1), Float32Array.of(-2, 0.25)];
  const velocity = noise.map((n, i) => n - image[i]);
  const levels = noiseLevels(64, 3);
  const x = noise.slice();
  assert.deepEqual(Array.from(predictedImage(x, velocity, 1)), Array.from(image));
  for (let i = 0; i < 3; i++) eulerStep(x, velocity, levels[i], levels[i + 1]);
  x.forEach((value, i) => assert.ok(Math.abs(value - image[i]) < 1e-6));
});
