import assert from "node:assert/strict";
import { test } from "node:test";
import { i420ToRgb, rgbToI420 } from "../../../lib/media/video/i420.ts";
import { clip, psnr } from "./clip.ts";

// 8-bit BT.709 limited range of the primaries, rounded, as in any colour bar chart.
const COLOURS: Record<string, readonly [readonly number[], readonly number[]]> = {
  black: [[0, 0, 0], [16, 128, 128]],
  white: [[255, 255, 255], [235, 128, 128]],
  red: [[255, 0, 0], [63, 102, 240]],
  green: [[0, 255, 0], [173, 42, 26]],
  blue: [[0, 0, 255], [32, 240, 118]],
};

for (const [name, [rgb, yuv]] of Object.entries(COLOURS)) {
  test(`rgbToI420() gives the BT.709 levels of ${name}`, () => {
    const data = Uint8Array.from({ length: 12 }, (_, i) => rgb[i % 3]);
    const [y, u, v] = yuv;
    assert.deepEqual([...rgbToI420({ width: 2, height: 2, count: 1, data }).data], [y, y, y, y, u, v]);
  });
}

test("rgbToI420() repeats the last column and row when sizes are odd", () => {
  const grey = (shade: number) => Math.round(16 + shade * 219 / 255);
  const data = Uint8Array.from([10, 10, 10, 20, 20, 20, 30, 30, 30]);
  const wide = rgbToI420({ width: 3, height: 1, count: 1, data });
  assert.deepEqual([wide.width, wide.height], [4, 2]);
  const row = [10, 20, 30, 30].map(grey);
  assert.deepEqual([...wide.data], [...row, ...row, 128, 128, 128, 128]);
});

test("rgbToI420() averages the colour of two rows and columns", () => {
  const data = Uint8Array.from([255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
  const { data: yuv } = rgbToI420({ width: 2, height: 2, count: 1, data });
  assert.deepEqual([...yuv], [63, 63, 16, 16, 115, 184]);
});

test("i420ToRgb() undoes rgbToI420() except for rounding and the colour's half size", () => {
  const frames = clip(96, 64, 2);
  const back = i420ToRgb(rgbToI420(frames));
  assert.deepEqual([back.width, back.height, back.count], [96, 64, 2]);
  assert.ok(psnr(back.data, frames.data) > 40);
  const grey = { ...frames, data: frames.data.map((_, i) => frames.data[i - i % 3]) };
  assert.ok(psnr(i420ToRgb(rgbToI420(grey)).data, grey.data) > 55);
});
