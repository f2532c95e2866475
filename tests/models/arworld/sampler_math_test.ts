import { test } from "node:test";
import assert from "node:assert/strict";
import { noiseLevel, predictClean, renoise, SAMPLER_STEPS } from "../../../lib/models/arworld/sampling/sampler_math.ts";
import { f32, Graph, sub } from "../../../lib/compute/tensor/mod.ts";
import { evaluate } from "../../support/reference_ops.ts";

const near = (actual: number, expected: number, tolerance = 1e-6) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);

test("SAMPLER_STEPS are the four warped steps", () => {
  const expected = [1, 0.9375, 5 / 6, 0.625];
  SAMPLER_STEPS.forEach(({ sigma, timestep }, i) => {
    near(sigma, expected[i]);
    near(timestep, 1000 * expected[i]);
  });
});

test("noiseLevel() falls from pure noise to nearly nothing", () => {
  near(noiseLevel(0).sigma, 1);
  near(noiseLevel(1).sigma, 0.9997998);
  near(noiseLevel(999).sigma, 0.005 / 1.004);
  for (let i = 1; i < 1000; i++) assert.ok(noiseLevel(i).sigma < noiseLevel(i - 1).sigma);
});

test("predictClean() undoes renoise() when the velocity is right, with a noise level for each frame", () => {
  const graph = new Graph();
  const clean = graph.input("clean", [3, 2]);
  const noise = graph.input("noise", [3, 2]);
  const sigma = graph.input("sigma", [3, 1]);
  const noisy = renoise(clean, noise, sigma);
  graph.output("noisy", noisy);
  graph.output("clean", predictClean(noisy, sub(noise, clean), sigma));
  const x0 = [-2, 0, 0.5, 1e4, 3, -1];
  const got = evaluate(graph, {
    clean: f32([3, 2], x0),
    noise: f32([3, 2], [1, -1, 0.25, 3, 7, 8]),
    sigma: f32([3, 1], [0, 0.625, 1]),
  });
  x0.forEach((value, i) => near(got.clean.data[i], value, 1e-9 * Math.max(1, Math.abs(value))));
  assert.deepEqual([...got.noisy.data], [-2, 0, 0.375 * 0.5 + 0.625 * 0.25, 0.375 * 1e4 + 0.625 * 3, 7, 8]);
});
