import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageRecipe } from "../../../../lib/engines/onnx_text/vision/vision_layout.ts";
import { prepareImage } from "../../../../lib/engines/onnx_text/vision/prepare_image.ts";
import { encodePng } from "../../../../lib/media/mod.ts";
import { assertClose } from "../../../support/assert_close.ts";
const recipe: ImageRecipe = {
  size: undefined,
  crop: undefined,
  tile: undefined,
  kernel: "linear",
  scale: 1 / 255,
  mean: [0.5, 0.4, 0.3],
  std: [0.5, 0.25, 0.2],
};

/** An image whose red encodes the column, green the row and blue nothing. */
async function png(width: number, height: number): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return [pixel % width, Math.floor(pixel / width), 51][i % 3];
  });
  return await encodePng({ width, height, data });
}

test("prepareImage() gives planes of normalised colours", async () => {
  const { pieces, rows, columns } = await prepareImage({ bytes: await png(3, 2), detail: "auto" }, recipe);
  assert.deepEqual([rows, columns, pieces.length], [0, 0, 1]);
  const red = [0, 1, 2, 0, 1, 2].map((byte) => (byte / 255 - 0.5) / 0.5);
  const green = [0, 0, 0, 1, 1, 1].map((byte) => (byte / 255 - 0.4) / 0.25);
  const blue = new Array(6).fill((51 / 255 - 0.3) / 0.2);
  assertClose(pieces[0].data, [...red, ...green, ...blue], 1e-6);
});

test("prepareImage() cuts the middle out, black beyond the edges", async () => {
  const plain = { ...recipe, scale: 1, mean: [0, 0, 0], std: [1, 1, 1] };
  const image = { bytes: await png(6, 4), detail: "auto" as const };
  const inner = await prepareImage(image, { ...plain, crop: { width: 2, height: 2 } });
  assert.deepEqual([...inner.pieces[0].data.subarray(0, 8)], [2, 3, 2, 3, 1, 1, 2, 2]);
  const outer = await prepareImage(image, { ...plain, crop: { width: 4, height: 6 } });
  assert.deepEqual([...outer.pieces[0].data.subarray(0, 8)], [0, 0, 0, 0, 1, 2, 3, 4]);
});

test("prepareImage() gives squares row by row, then the whole picture", async () => {
  const plain = { ...recipe, scale: 1, mean: [0, 0, 0], std: [1, 1, 1], tile: 4 };
  const tiled = { ...plain, size: { shortest: undefined, longest: 8 } };
  const image = { bytes: await png(8, 8), detail: "auto" as const };
  const { pieces, rows, columns } = await prepareImage(image, tiled);
  assert.deepEqual([rows, columns, pieces.length], [2, 2, 5]);
  const corners = pieces.map(({ data }) => [data[0], data[16]]);
  assert.deepEqual(corners.slice(0, 4), [[0, 0], [4, 0], [0, 4], [4, 4]]);
  assert.ok(pieces.every(({ width, height }) => width === 4 && height === 4));
  const low = await prepareImage({ ...image, detail: "low" }, tiled);
  assert.deepEqual([low.rows, low.columns, low.pieces.length], [0, 0, 1]);
  assertClose(low.pieces[0].data, pieces[4].data, 1e-6);
});

test("prepareImage() reports that a file is not an image", async () => {
  await assert.rejects(prepareImage({ bytes: new TextEncoder().encode("<html>"), detail: "auto" }, recipe), {
    name: "SvcError",
    type: "invalid_request_error",
    code: "invalid_image",
    param: "messages",
    message: /^Cannot complete the chat: an image cannot be decoded, image: its format is unknown/,
  });
});
