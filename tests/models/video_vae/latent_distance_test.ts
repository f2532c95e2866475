import assert from "node:assert/strict";
import { test } from "node:test";
import {
  featureCount,
  type KnownLatents,
  latentFeatures,
  nearestKind,
} from "../../../lib/models/video_vae/latent_distance.ts";

test("latentFeatures() has of each channel its mean, the logarithm of its deviation, and the means of four bands", () => {
  // Two channels of 4 rows and 2 columns: rows of 0, 1, 2 and 3, and a constant.
  const latents = Float32Array.from([0, 0, 1, 1, 2, 2, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5]);
  const features = latentFeatures(latents, 2, 4);
  assert.equal(features.length, featureCount(2));
  assert.deepEqual([...features.subarray(0, 1), ...features.subarray(2, 6)], [1.5, 0, 1, 2, 3]);
  assert.ok(Math.abs(features[1] - Math.log(Math.sqrt(1.25) + 0.05)) < 1e-9);
  assert.deepEqual([...features.subarray(6, 7), ...features.subarray(8)], [5, 5, 5, 5, 5]);
});

test("nearestKind() measures the Mahalanobis distance of a covariance of low rank, in units of the limit", () => {
  const half = Math.SQRT1_2;
  const known: KnownLatents = {
    mean: [1, 2],
    std: [2, 1],
    basis: [[half, half]],
    variance: [4],
    rest: 0.5,
    limit: 2,
  };
  // Scaled to (1, 1), all of it along the direction: 2 / 4, a feature, in units of 2.
  assert.ok(Math.abs(nearestKind([known], Float64Array.from([3, 3])).distance - 0.125) < 1e-9);
  // Scaled to (1, -1), nothing of it: 2 / 0.5.
  assert.ok(Math.abs(nearestKind([known], Float64Array.from([3, 1])).distance - 1) < 1e-9);
  assert.equal(nearestKind([known], Float64Array.from([1, 2])).distance, 0);
});

test("nearestKind() of several is the nearest, each in units of its own limit, with the place that it names", () => {
  const kind = (mean: number, limit: number, place?: string): KnownLatents => (
    { mean: [mean, mean], std: [1, 1], basis: [], variance: [], rest: 1, limit, ...place !== undefined && { place } }
  );
  const features = Float64Array.from([2, 2]);
  assert.deepEqual(nearestKind([kind(0, 1), kind(3, 1, "yard")], features), { distance: 1, place: "yard" });
  assert.deepEqual(nearestKind([kind(0, 8), kind(3, 1, "yard")], features), { distance: 0.5 });
});
