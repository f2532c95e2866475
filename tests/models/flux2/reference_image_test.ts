import assert from "node:assert/strict";
import { test } from "node:test";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import { coverImage } from "../../../lib/media/images/crop_image.ts";
import { prepareReference, referenceSize } from "../../../lib/models/flux2/reference_image.ts";

/** Red encodes the column, green the row. */
function gradient(width: number, height: number): RgbImage {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) data.set([i % width, Math.floor(i / width), 0], 3 * i);
  return { width, height, data };
}

const pixel = (
  { width, data }: RgbImage,
  x: number,
  y: number,
) => [...data.subarray(3 * (y * width + x)).subarray(0, 2)];

test("prepareReference() crops the centre of a picture that is small enough", () => {
  const image = prepareReference(gradient(101, 83));
  assert.deepEqual([image.width, image.height], [96, 80]);
  assert.deepEqual(pixel(image, 0, 0), [2, 1]);
  assert.deepEqual(pixel(image, 95, 79), [97, 80]);
});

test("referenceSize() keeps the area of large pictures of any proportions", () => {
  for (const [width, height] of [[4000, 3000], [8000, 1000], [1025, 1024], [1, 40_000_000]]) {
    const { resized, cropped } = referenceSize({ width, height });
    assert.ok(resized.width * resized.height <= 1024 * 1024);
    assert.ok(cropped.width % 16 === 0 && cropped.height % 16 === 0);
  }
});

test("coverImage() fills any size without changing proportions", () => {
  const wide = coverImage(gradient(96, 32), { width: 32, height: 32 });
  assert.deepEqual([wide.width, wide.height], [32, 32]);
  assert.deepEqual(pixel(wide, 0, 0), [32, 0]);
  assert.deepEqual(pixel(wide, 31, 31), [63, 31]);
  const same = gradient(48, 16);
  assert.equal(coverImage(same, { width: 48, height: 16 }).data, same.data);
  for (const [width, height] of [[1, 1], [3, 200], [200, 3], [15, 17], [1, 300_000]]) {
    const covered = coverImage(gradient(width, height), { width: 64, height: 16 });
    assert.deepEqual([covered.width, covered.height, covered.data.length], [64, 16, 3 * 64 * 16]);
  }
});
