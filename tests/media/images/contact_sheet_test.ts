import assert from "node:assert/strict";
import { test } from "node:test";
import { contactSheet } from "../../../lib/media/images/contact_sheet.ts";
import { frameAt, type RgbImage } from "../../../lib/media/images/rgb_image.ts";

const grey = (shade: number): RgbImage => ({ width: 2, height: 1, data: new Uint8Array(6).fill(shade) });

/** The red channel as rows. */
const shades = ({ width, height, data }: RgbImage): number[][] =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => data[(y * width + x) * 3]));

test("contactSheet() fills rows in order with gaps between and around", () => {
  const sheet = contactSheet([grey(100), grey(150), grey(200)], { columns: 2, gap: 1, background: 9 });
  assert.deepEqual(shades(sheet), [
    [9, 9, 9, 9, 9, 9, 9],
    [9, 100, 100, 9, 150, 150, 9],
    [9, 9, 9, 9, 9, 9, 9],
    [9, 200, 200, 9, 9, 9, 9],
    [9, 9, 9, 9, 9, 9, 9],
  ]);
});

test("contactSheet() enlarges by whole pixels and keeps channels apart", () => {
  const two: RgbImage = { width: 2, height: 1, data: new Uint8Array([1, 2, 3, 4, 5, 6]) };
  const sheet = contactSheet([two], { gap: 0, scale: 2 });
  assert.deepEqual([sheet.width, sheet.height], [4, 2]);
  const row = [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6];
  assert.deepEqual([...sheet.data], [...row, ...row]);
});

test("contactSheet() puts all pictures in one row when columns are not given or too many", () => {
  assert.equal(contactSheet([grey(1), grey(2), grey(3)], { gap: 0 }).width, 6);
  assert.equal(contactSheet([grey(1), grey(2)], { gap: 0, columns: 9 }).width, 4);
});

test("contactSheet() refuses no picture, sizes that differ and options out of range", () => {
  const other: RgbImage = { width: 1, height: 2, data: new Uint8Array(6) };
  assert.throws(() => contactSheet([]), /there is no image/);
  assert.throws(() => contactSheet([grey(1), other]), /image 1 is 1x2, expected 2x1/);
  assert.throws(() => contactSheet([grey(1)], { columns: 0 }), /columns is 0, expected a whole number from 1/);
  assert.throws(() => contactSheet([grey(1)], { scale: 1.5 }), /scale is 1.5/);
  assert.throws(() => contactSheet([grey(1)], { background: 256 }), /background is 256/);
});

test("frameAt() gives the frame without copying and refuses one that does not exist", () => {
  const frames = { width: 1, height: 1, count: 2, data: new Uint8Array([1, 2, 3, 4, 5, 6]) };
  assert.deepEqual([...frameAt(frames, 1).data], [4, 5, 6]);
  assert.equal(frameAt(frames, 1).data.buffer, frames.data.buffer);
  assert.throws(() => frameAt(frames, 2), /Cannot take frame 2: there are 2 frames/);
  assert.throws(() => frameAt(frames, -1), RangeError);
});
