import { test } from "node:test";
import assert from "node:assert/strict";
import {
  depthPreview,
  DepthRangeSampler,
  maskPreview,
  normalPreview,
} from "../../../lib/media/images/depth_preview.ts";

test("DepthRangeSampler.range() leaves out the ends and what is not finite", () => {
  const sampler = new DepthRangeSampler(101);
  sampler.add(Float32Array.from({ length: 101 }, (_, i) => i));
  sampler.add(Float32Array.of(Infinity, NaN));
  assert.deepEqual(sampler.range(), { near: 2, far: 98 });
  assert.deepEqual(new DepthRangeSampler(0).range(), { near: 0, far: 1 });
});

test("previews show near light, far dark, and nothing black", () => {
  const depth = Float32Array.of(1, 3, 5, Infinity, NaN, 0);
  const { data } = depthPreview(depth, 3, 2, { near: 1, far: 5 });
  assert.deepEqual([...data].filter((_, i) => i % 3 === 0), [255, 144, 32, 0, 0, 255]);
  assert.deepEqual([...depthPreview(Float32Array.of(2), 1, 1, { near: 2, far: 2 }).data], [255, 255, 255]);
  assert.deepEqual([...normalPreview(Float32Array.of(0, 0, -1, 0, 0, 0), 2, 1).data], [128, 128, 0, 0, 0, 0]);
  assert.deepEqual([...maskPreview(Uint8Array.of(1, 0), 2, 1).data], [255, 255, 255, 0, 0, 0]);
});
