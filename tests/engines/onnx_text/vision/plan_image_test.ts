import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageRecipe } from "../../../../lib/engines/onnx_text/vision/vision_layout.ts";
import { planImage } from "../../../../lib/engines/onnx_text/vision/prepare_image.ts";

const recipe: ImageRecipe = {
  size: { width: 336, height: 336 },
  crop: undefined,
  tile: undefined,
  kernel: "cubic",
  scale: 1 / 255,
  mean: [0, 0, 0],
  std: [1, 1, 1],
};
const tiled: ImageRecipe = { ...recipe, size: { shortest: undefined, longest: 2048 }, tile: 512 };

test("planImage() stretches a picture to a fixed size", () => {
  assert.deepEqual(planImage({ width: 5, height: 700 }, recipe, false), {
    sizes: [{ width: 336, height: 336 }],
    rows: 0,
    columns: 0,
  });
});

test("planImage() keeps the proportions where edges are given", () => {
  const edges = (shortest: number | undefined, longest: number | undefined): ImageRecipe => ({
    ...recipe,
    size: { shortest, longest },
  });
  const size = (width: number, height: number, recipe: ImageRecipe) =>
    planImage({ width, height }, recipe, false).sizes[0];
  assert.deepEqual(size(640, 480, edges(336, undefined)), { width: 448, height: 336 });
  assert.deepEqual(size(480, 640, edges(336, undefined)), { width: 336, height: 448 });
  assert.deepEqual(size(100, 50, edges(undefined, 400)), { width: 400, height: 200 });
  assert.deepEqual(size(1000, 100, edges(336, 672)), { width: 672, height: 67 });
  assert.deepEqual(size(10, 8000, edges(undefined, 400)), { width: 1, height: 400 });
  assert.deepEqual(size(640, 480, { ...recipe, size: undefined }), { width: 640, height: 480 });
});

test("planImage() cuts a picture into squares, and sees all of it in one where that is enough", () => {
  const grid = (width: number, height: number, whole = false) => {
    const { sizes, rows, columns } = planImage({ width, height }, tiled, whole);
    return [...sizes.map(({ width, height }) => `${width}x${height}`), rows, columns];
  };
  assert.deepEqual(grid(1000, 500), ["2048x1024", "2048x1024", 2, 4]);
  assert.deepEqual(grid(1000, 600), ["2048x1228", "2048x1536", 3, 4]);
  assert.deepEqual(grid(500, 1000), ["1024x2048", "1024x2048", 4, 2]);
  assert.deepEqual(grid(100, 100), ["2048x2048", "2048x2048", 4, 4]);
  assert.deepEqual(grid(3000, 20), ["2048x14", "2048x512", 1, 4]);
  assert.deepEqual(grid(1000, 600, true), ["2048x1228", "512x512", 0, 0]);
  const small = { ...tiled, size: { shortest: undefined, longest: 512 } };
  const { rows, columns, sizes } = planImage({ width: 9, height: 9 }, small, false);
  assert.deepEqual([rows, columns, sizes.at(-1)], [0, 0, { width: 512, height: 512 }]);
});

test("planImage() cuts as transformers.js does", async () => {
  const { Idefics3ImageProcessor, RawImage } = await import("@huggingface/transformers");
  const edge = 16;
  const theirs = new Idefics3ImageProcessor({
    size: { longest_edge: 4 * edge },
    max_image_size: { longest_edge: edge },
    do_image_splitting: true,
    do_resize: true,
    resample: 2,
  });
  const ours = { ...tiled, size: { shortest: undefined, longest: 4 * edge }, tile: edge };
  for (const [width, height] of [[64, 64], [64, 20], [31, 77], [90, 17], [8, 8], [200, 40], [33, 32]]) {
    const picture = new RawImage(new Uint8ClampedArray(width * height * 3), width, height, 3);
    const { rows, cols } = await theirs([picture], { return_row_col_info: true });
    const plan = planImage({ width, height }, ours, false);
    assert.deepEqual([plan.rows, plan.columns], [rows[0][0], cols[0][0]], `${width}x${height}`);
  }
});
