import { test } from "node:test";
import assert from "node:assert/strict";
import { canvasFor, paintCanvas, trainedCanvas } from "../../../lib/models/actionworld/canvas.ts";

const canvas = (width: number, height: number) => {
  const size = canvasFor({ width, height });
  return `${size.width}x${size.height}`;
};

test("canvasFor() gives the training's canvas where it leaves little over", () => {
  assert.equal(canvas(320, 176), "320x192");
  assert.equal(canvas(320, 192), "320x192");
  assert.equal(canvas(256, 256), "256x256");
  assert.equal(canvas(832, 480), "832x480");
  assert.equal(canvas(1280, 720), "1280x720");
});

test("canvasFor() fills other sizes up to multiples of 32", () => {
  assert.equal(canvas(64, 48), "64x64");
  assert.equal(canvas(96, 64), "96x64");
  assert.equal(canvas(336, 176), "352x192");
  assert.equal(canvas(2000, 16), "2016x32");
});

test("trainedCanvas() takes the nearest ratio of height to width of the tier", () => {
  const size = trainedCanvas({ width: 424, height: 240 }, 256);
  assert.deepEqual(size, { width: 320, height: 192 });
  assert.deepEqual(trainedCanvas({ width: 424, height: 240 }, 480), { width: 832, height: 480 });
});

/** A picture of one row in which every pixel has its place as its red. */
function ramp(width: number) {
  const data = new Uint8Array(3 * width);
  for (let i = 0; i < width; i++) data[3 * i] = i;
  return { width, height: 1, data };
}

function reds(width: number, canvasWidth: number): number[] {
  const { planes } = paintCanvas(ramp(width), { width: canvasWidth, height: 1 });
  return [...planes.subarray(0, canvasWidth)].map((x) => Math.round((x + 1) * 127.5));
}

test("paintCanvas() continues a picture by its mirror image, or by its last column where it is too small", () => {
  assert.deepEqual(reds(4, 4), [0, 1, 2, 3]);
  assert.deepEqual(reds(4, 7), [0, 1, 2, 3, 2, 1, 0]);
  assert.deepEqual(reds(4, 8), [0, 1, 2, 3, 3, 3, 3, 3]);
});

/** Which pixel of a picture each one of the canvas shows, row by row; the picture has its own places as its red. */
function shown(width: number, height: number, canvas: { width: number; height: number }): number[][] {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) data[3 * i] = i;
  const { planes } = paintCanvas({ width, height, data }, canvas);
  const places = [...planes.subarray(0, canvas.width * canvas.height)].map((x) => Math.round((x + 1) * 127.5));
  return Array.from({ length: canvas.height }, (_, y) => places.slice(y * canvas.width, (y + 1) * canvas.width));
}

test("paintCanvas() mirrors on both axes only where the picture is large enough on both", () => {
  const wide = [[0, 1, 2, 2, 2], [3, 4, 5, 5, 5], [3, 4, 5, 5, 5], [3, 4, 5, 5, 5]];
  assert.deepEqual(shown(3, 2, { width: 5, height: 4 }), wide, "too few rows: no column is mirrored either");
  const tall = [[0, 1, 1, 1], [2, 3, 3, 3], [4, 5, 5, 5], [4, 5, 5, 5], [4, 5, 5, 5]];
  assert.deepEqual(shown(2, 3, { width: 4, height: 5 }), tall, "too few columns: no row is mirrored either");
  const both = [[0, 1, 2, 1], [3, 4, 5, 4], [6, 7, 8, 7], [3, 4, 5, 4]];
  assert.deepEqual(shown(3, 3, { width: 4, height: 4 }), both);
});

test("paintCanvas() shrinks a picture that is too large and never enlarges one", () => {
  const image = { width: 8, height: 4, data: new Uint8Array(96).fill(255) };
  assert.deepEqual(paintCanvas(image, { width: 4, height: 4 }).content, { width: 4, height: 2 });
  assert.deepEqual(paintCanvas(image, { width: 16, height: 16 }).content, { width: 8, height: 4 });
  const { planes } = paintCanvas(image, { width: 4, height: 4 });
  assert.ok(planes.every((x) => Math.abs(x - 1) < 1e-6));
});
