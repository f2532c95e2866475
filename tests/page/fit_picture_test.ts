import assert from "node:assert/strict";
import { test } from "node:test";
import { fitPicture } from "../../world-page/picture/stage_box.ts";

/** Picture, room and device pixel ratio; the width on the screen in its own pixels, and whether the factor is whole. */
const cases: [picture: [number, number], room: [number, number], ratio: number, pixels: number, sharp: boolean][] = [
  [[96, 64], [860, 574], 1, 768, true],
  [[192, 128], [860, 574], 1, 768, true],
  [[192, 128], [366, 600], 2, 576, true],
  [[192, 128], [366, 600], 1.25, 384, true],
  [[384, 224], [860, 574], 1, 768, true],
  [[1280, 704], [860, 574], 1, 860, false],
  [[1280, 704], [860, 574], 2, 1720, false], // 1280 pixels would be less than three quarters
  [[1280, 704], [1920, 1080], 1, 1920, false],
  [[1280, 704], [1500, 1000], 1, 1280, true],
  [[640, 352], [300, 800], 3, 900, false],
  [[64, 512], [860, 574], 1, 64, true],
];

for (const [[width, height], [roomWidth, roomHeight], ratio, pixels, sharp] of cases) {
  test(`fitPicture() shows ${width}x${height} in ${roomWidth}x${roomHeight} at ${ratio} on ${pixels} pixels`, () => {
    const fit = fitPicture({ width, height }, { width: roomWidth, height: roomHeight }, ratio, false);
    assert.ok(Math.abs(fit.width * ratio - pixels) < 1e-6, `${fit.width * ratio}`);
    assert.equal(fit.sharp, sharp);
    assert.ok(Math.abs(fit.width / fit.height - width / height) < 1e-9);
    assert.ok(fit.width <= roomWidth + 1e-6 && fit.height <= roomHeight + 1e-6);
  });
}

test("fitPicture() has no size without room", () => {
  assert.deepEqual(fitPicture({ width: 96, height: 64 }, { width: 0, height: 0 }, 1, false).width, 0);
});

test("fitPicture() fills the room with a picture that is enlarged smoothly", () => {
  const fit = fitPicture({ width: 192, height: 128 }, { width: 860, height: 574 }, 1, true);
  assert.deepEqual([fit.width, fit.sharp], [860, false]);
});
