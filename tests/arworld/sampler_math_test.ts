import { test } from "node:test";
import assert from "node:assert/strict";
import {
  bfloatStep,
  noiseLevels,
  predictClean,
  renoise,
  SAMPLER_STEPS,
} from "../../lib/models/arworld/sampler_math.ts";

const near = (actual: number, expected: number, tolerance = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);

test("SAMPLER_STEPS are the four warped steps", () => {
  const expected = [1, 0.9375, 5 / 6, 0.625];
  SAMPLER_STEPS.forEach(({ sigma, timestep }, i) => {
    near(sigma, expected[i]);
    near(timestep, 1000 * expected[i]);
  });
});

test("noiseLevels() falls from pure noise to nearly nothing in 1000 steps", () => {
  const levels = noiseLevels();
  assert.equal(levels.length, 1000);
  near(levels[0].sigma, 1);
  near(levels[1].sigma, 0.9997998);
  near(levels[999].sigma, 0.005 / 1.004);
  levels.slice(1).forEach((level, i) => assert.ok(level.sigma < levels[i].sigma));
});

test("bfloatStep() gives the rounded timesteps and table noise levels of the released pipeline", () => {
  assert.deepEqual(SAMPLER_STEPS.map((step) => bfloatStep(step.timestep).timestep), [1000, 936, 832, 624]);
  [1, 0.9359296, 0.8322193, 0.6237475].forEach((sigma, i) => near(bfloatStep(SAMPLER_STEPS[i].timestep).sigma, sigma));
  assert.equal(bfloatStep(0.1).timestep, 0.10009765625);
});

test("predictClean() undoes renoise() when the velocity is right", () => {
  const x0 = Float32Array.of(-2, 0, 0.5, 1e4);
  const noise = Float32Array.of(1, -1, 0.25, 3);
  for (const { sigma } of SAMPLER_STEPS) {
    const x = renoise(x0, noise, sigma);
    const velocity = x0.map((clean, i) => noise[i] - clean);
    predictClean(x, velocity, sigma).forEach((value, i) => near(value, x0[i], 1e-6 * Math.max(1, Math.abs(x0[i]))));
  }
  assert.deepEqual(renoise(x0, noise, 1), noise);
  assert.deepEqual(renoise(x0, noise, 0), x0);
});
