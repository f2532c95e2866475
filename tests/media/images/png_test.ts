import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { encodePng } from "../../../lib/media/images/png.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";

const picture = (width: number, height: number): RgbImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * i * 31 + (i >> 3)) & 255),
});

for (const [width, height] of [[1, 1], [1, 7], [96, 64], [333, 101]]) {
  test(`encodePng() writes what sharp reads back bit by bit when the picture is ${width}x${height}`, async () => {
    const image = picture(width, height);
    const { data, info } = await sharp(await encodePng(image)).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [width, height, 3]);
    assert.deepEqual(new Uint8Array(data), image.data);
  });
}

test("encodePng() gives equal bytes for equal pictures", async () => {
  assert.deepEqual(await encodePng(picture(40, 30)), await encodePng(picture(40, 30)));
});

test("encodePng() refuses data that does not fit the size", async () => {
  await assert.rejects(() => encodePng({ width: 2, height: 2, data: new Uint8Array(11) }), {
    name: "RangeError",
    message: "Cannot use image: 11 bytes for 1 frames of 2x2, expected 12",
  });
  await assert.rejects(() => encodePng({ width: 0, height: 2, data: new Uint8Array(0) }), RangeError);
  await assert.rejects(() => encodePng({ width: 1.5, height: 2, data: new Uint8Array(9) }), RangeError);
});

test("encodePng() writes texts that others read", async () => {
  const text = {
    prompt: "a blue corridor, ニューラル\nwith a\0 break",
    seed: "18446744073709551615",
    model: "tiny-image",
  };
  const png = await encodePng({ width: 1, height: 1, data: new Uint8Array(3) }, { text });
  const read: Record<string, string> = {};
  for (let at = 8; at < png.length;) {
    const view = new DataView(png.buffer, at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const data = png.subarray(at + 8, at + 8 + view.getUint32(0));
    if (type === "iTXt") {
      const keyword = String.fromCharCode(...data.subarray(0, data.indexOf(0)));
      read[keyword] = new TextDecoder().decode(data.subarray(keyword.length + 5));
    }
    at += 12 + data.length;
  }
  assert.deepEqual(read, { ...text, prompt: text.prompt.replace("\0", "") });
  const { width, height } = await sharp(png).metadata();
  assert.deepEqual([width, height], [1, 1]);
});

test("encodePng() refuses invalid keywords", async () => {
  const image = { width: 1, height: 1, data: new Uint8Array(3) };
  for (const keyword of ["", " a", "a ", "a  b", "x".repeat(80), "ニ", "a\0"]) {
    await assert.rejects(encodePng(image, { text: { [keyword]: "x" } }), /the keyword .* is invalid/);
  }
});
