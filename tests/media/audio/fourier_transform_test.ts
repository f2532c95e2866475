import assert from "node:assert/strict";
import { test } from "node:test";
import { FourierTransform } from "../../../lib/media/audio/fourier_transform.ts";

for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 25, 30, 49, 97, 121, 400, 512, 1200]) {
  test(`a transform of ${size} points is the sum of its definition`, () => {
    let state = size;
    const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const re = Float64Array.from({ length: size }, random);
    const im = Float64Array.from({ length: size }, random);
    const [outRe, outIm] = [new Float64Array(size), new Float64Array(size)];
    new FourierTransform(size).transform(re, im, outRe, outIm);
    for (let k = 0; k < size; k++) {
      let [sumRe, sumIm] = [0, 0];
      for (let n = 0; n < size; n++) {
        const turn = -2 * Math.PI * k * n / size;
        sumRe += re[n] * Math.cos(turn) - im[n] * Math.sin(turn);
        sumIm += re[n] * Math.sin(turn) + im[n] * Math.cos(turn);
      }
      assert.ok(Math.hypot(outRe[k] - sumRe, outIm[k] - sumIm) < 1e-10);
    }
  });
}

test("a size that is not a positive integer is refused", () => {
  for (const size of [0, -4, 1.5, NaN]) assert.throws(() => new FourierTransform(size), RangeError);
});
