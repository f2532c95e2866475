import { test } from "node:test";
import assert from "node:assert/strict";
import sharp from "sharp";
import { decodeRgbaImage } from "../../../lib/media/images/decode_image.ts";
import { encodePng } from "../../../lib/media/images/png.ts";

test("decodeRgbaImage() keeps transparency and colours under it", async () => {
  const data = Uint8Array.of(10, 20, 30, 0, 40, 50, 60, 128, 70, 80, 90, 255);
  const png = await sharp(data, { raw: { width: 3, height: 1, channels: 4 } }).png().toBuffer();
  assert.deepEqual(await decodeRgbaImage(new Uint8Array(png)), { width: 3, height: 1, data });
});

test("decodeRgbaImage() takes images without transparency as opaque, grey ones too", async () => {
  const image = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3) };
  assert.deepEqual((await decodeRgbaImage(await encodePng(image))).data, Uint8Array.of(1, 2, 3, 255));
  const grey = await sharp(Uint8Array.of(77), { raw: { width: 1, height: 1, channels: 1 } }).toColourspace("b-w").png()
    .toBuffer();
  assert.deepEqual((await decodeRgbaImage(new Uint8Array(grey))).data, Uint8Array.of(77, 77, 77, 255));
});

test("decodeRgbaImage() refuses what is not an image", async () => {
  await assert.rejects(decodeRgbaImage(new Uint8Array(10)), { code: "image_unsupported" });
});
