import { test } from "node:test";
import assert from "node:assert/strict";
import parseExr from "parse-exr";
import { encodeExr } from "../../../lib/media/images/exr.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(9);

/** Rows of the library begin at the bottom. */
function upright(data: ArrayLike<number>, width: number, height: number, channels: number): number[] {
  const stride = width * channels;
  return Array.from(
    { length: height },
    (_, y) => Array.from(data).slice((height - 1 - y) * stride, (height - y) * stride),
  )
    .flat();
}

for (const [width, height] of [[1, 1], [5, 3], [7, 16], [3, 17], [33, 40]]) {
  test(`encodeExr() writes ${width}x${height} normals that a library reads back`, async () => {
    const channels = ["R", "G", "B"].map((name) => ({
      name,
      data: Float32Array.from({ length: width * height }, (_, i) => (i % 5 === 0 ? 1 : random())),
    }));
    const exr = await encodeExr({ width, height, channels });
    const read = parseExr(exr.buffer, 1015); // 1015: 32-bit floats
    assert.deepEqual([read.width, read.height], [width, height]);
    const values = upright(read.data, width, height, 4);
    channels.forEach(({ data }, c) => {
      assert.deepEqual(values.filter((_, i) => i % 4 === c), [...data]);
    });
  });
}

test("encodeExr() refuses channels of another size and names that readers cannot take", async () => {
  const image = (name: string, length: number) => ({
    width: 2,
    height: 2,
    channels: [{ name, data: new Float32Array(length) }],
  });
  await assert.rejects(encodeExr(image("Z", 3)), RangeError);
  await assert.rejects(encodeExr(image("", 4)), RangeError);
  await assert.rejects(encodeExr(image("a b", 4)), RangeError);
});
