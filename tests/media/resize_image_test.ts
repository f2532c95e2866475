import assert from "node:assert/strict";
import { test } from "node:test";
import { resizeImage, type ResizeKernel } from "../../lib/media/mod.ts";

const kernels: readonly ResizeKernel[] = ["nearest", "linear", "cubic", "lanczos3"];

/** Left half black, right half white. */
function halves(width: number, height: number) {
  const data = Uint8Array.from(
    { length: width * height * 3 },
    (_, i) => Math.floor(i / 3) % width < width / 2 ? 0 : 255,
  );
  return { width, height, data };
}

test("resizeImage() stretches to the size, whatever the proportions", async () => {
  for (const kernel of kernels) {
    const { width, height, data } = await resizeImage(halves(40, 10), { width: 8, height: 30 }, kernel);
    assert.deepEqual([width, height, data.length], [8, 30, 720], kernel);
    assert.ok(data[0] < 3 && data[21] > 252, `${kernel}: ${data[0]}, ${data[21]}`);
  }
});

test("resizeImage() looks at every pixel that a smaller picture leaves out, but for nearest", async () => {
  const stripes = {
    width: 64,
    height: 2,
    data: Uint8Array.from({ length: 384 }, (_, i) => Math.floor(i / 3) % 2 * 255),
  };
  for (const kernel of kernels) {
    const { data } = await resizeImage(stripes, { width: 8, height: 2 }, kernel);
    const grey = [...data.subarray(6, 18)].every((value) => Math.abs(value - 128) < 16);
    assert.equal(grey, kernel !== "nearest", kernel);
  }
});

test("resizeImage() gives a picture of the right size as it is, and refuses sizes that are none", async () => {
  const picture = halves(4, 4);
  assert.equal(await resizeImage(picture, { width: 4, height: 4 }, "cubic"), picture);
  for (const width of [0, -1, 1.5, NaN]) {
    await assert.rejects(resizeImage(picture, { width, height: 4 }, "cubic"), {
      name: "RangeError",
      message: `Cannot resize a picture: the size is ${width}x4, expected positive whole numbers`,
    });
  }
});
