import assert from "node:assert/strict";
import { test } from "node:test";
import { isStretched, nativeSize } from "../../../lib/engines/image/native_size.ts";

const NATIVE = { width: 192, height: 128 };
const text = ({ width, height }: { width: number; height: number }): string => `${width}x${height}`;

test("a model of one size makes its own height, as wide as the image's shape and its own width allow", () => {
  const made = ([width, height]: readonly [number, number]) => text(nativeSize({ width, height }, NATIVE));
  assert.deepEqual(
    ([[192, 128], [96, 64], [384, 256], [64, 64], [1024, 1024], [80, 64], [112, 80], [512, 1024], [4096, 16]] as const)
      .map(made),
    ["192x128", "192x128", "192x128", "128x128", "128x128", "160x128", "176x128", "128x128", "192x128"],
  );
  assert.equal(text(nativeSize({ width: 1024, height: 512 }, undefined)), "1024x512");
});

test("an image is stretched that has more pixels than were made, or another shape", () => {
  const stretched = (width: number, height: number) => isStretched({ width, height }, NATIVE);
  for (const [width, height] of [[192, 128], [96, 64], [128, 128], [64, 64], [16, 16], [80, 64], [112, 80]]) {
    assert.equal(stretched(width, height), false, `${width}x${height}`);
  }
  for (const [width, height] of [[384, 256], [208, 128], [192, 144], [144, 144], [1024, 1024], [192, 64], [64, 128]]) {
    assert.equal(stretched(width, height), true, `${width}x${height}`);
  }
});
