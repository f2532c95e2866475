/**
 * Checks of what happens to pictures before and after the model.
 *
 * @module
 */
import { resizeImage } from "../../../lib/media/images/resize_image.ts";
import { matchColours, rgbToLab } from "../../../lib/models/arworld/lab_transfer.ts";
import type { Checks } from "../check.ts";
import { type Golden, largestDifference, type Numbers } from "../golden.ts";

export const pictureChecks: Checks = { image_resize, lab_transfer };

function image_resize(golden: Golden): void {
  const targets = golden.config.targets as [width: number, height: number][];
  targets.forEach(([width, height], i) => {
    const source = golden.stored(`${i}`);
    const image = { width: source.shape[1], height: source.shape[0], data: source.data as Uint8Array };
    golden.compare(`${i}`, resizeImage(image, width, height).data, 0);
  });
}

function lab_transfer(golden: Golden): void {
  const video = golden.input("video");
  const [frames] = video.shape;
  const size = video.data.length / frames;
  for (const strength of golden.config.strengths as number[]) {
    const data = video.data.slice();
    let target: Float64Array | undefined;
    for (let at = 0, count = 9; at < frames; at += count, count = 12) {
      const block = data.subarray(at * size, Math.min(at + count, frames) * size);
      target = matchColours({ data: block, frames: block.length / size, strength }, target);
    }
    const name = `s${Number.isInteger(strength) ? strength.toFixed(1) : strength}`;
    const expected = golden.expected(name).data;
    golden.compare(name, data, 1.5);
    golden.judge(`${name} on average`, meanDifference(data, expected), 0.5);
  }
  const first = video.data.subarray(0, size);
  // OpenCV interpolates a table here; the analytic form is the one that is meant.
  golden.compare("lab_frame0_analytic", rgbToLab(first), 1e-3);
  golden.judge("lab_frame0", meanDifference(rgbToLab(first), golden.expected("lab_frame0").data), 0.5);
  golden.check(
    "lab_frame0 at most",
    [largestDifference(rgbToLab(first), golden.expected("lab_frame0").data)],
    [0],
    1.5,
  );
}

function meanDifference(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum / a.length;
}
