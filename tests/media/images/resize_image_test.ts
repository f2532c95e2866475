import { test } from "node:test";
import assert from "node:assert/strict";
import { resizeImage } from "../../../lib/media/images/resize_image.ts";
import kernels from "../../goldens/data/pillow_resize.json" with { type: "json" };
import golden from "../../goldens/data/image_resize_small.json" with { type: "json" };

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

// @row world-session > Rules of the world server > Source pictures are stretched, antialiased
test("resizeImage() gives the bytes of Pillow when it shrinks and enlarges", () => {
  assert.equal(golden.cases.length, 6);
  for (const { width, height, toWidth, toHeight, input, output } of golden.cases) {
    const resized = resizeImage({ width, height, data: bytes(input) }, toWidth, toHeight);
    assert.deepEqual(resized, { width: toWidth, height: toHeight, data: bytes(output) });
  }
});

test("resizeImage() gives the bytes of Pillow 13 with every kernel", () => {
  assert.equal(kernels.length, 4);
  for (const { width, height, data, to: [toWidth, toHeight], ...expected } of kernels) {
    const image = { width, height, data: Uint8Array.from(data) };
    for (const kernel of ["nearest", "linear", "cubic", "lanczos"] as const) {
      const resized = resizeImage(image, toWidth, toHeight, kernel);
      assert.deepEqual([...resized.data], expected[kernel], `${width}x${height} to ${toWidth}x${toHeight}, ${kernel}`);
    }
  }
});

test("resizeImage() keeps a flat colour exactly and an image of the right size as it is", () => {
  const data = new Uint8Array(50 * 20 * 3).map((_, i) => [0, 128, 255][i % 3]);
  const image = { width: 50, height: 20, data };
  for (const [width, height] of [[7, 3], [96, 64], [1, 1]]) {
    const resized = resizeImage(image, width, height);
    assert.ok(resized.data.every((value, i) => value === [0, 128, 255][i % 3]), `${width}x${height}`);
  }
  assert.equal(resizeImage(image, 50, 20).data, data);
});
