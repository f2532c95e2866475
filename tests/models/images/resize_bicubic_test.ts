import { test } from "node:test";
import assert from "node:assert/strict";
import { resizeBicubic } from "../../../lib/models/images/resample.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(5);

test("resizeBicubic() gives the array itself back where nothing changes", () => {
  const planes = new Float32Array(3 * 4 * 5);
  assert.equal(resizeBicubic(planes, { width: 5, height: 4 }, { width: 5, height: 4 }), planes);
});

test("resizeBicubic() keeps what is the same everywhere and the mean of what is shrunk to whole parts", () => {
  const flat = new Float32Array(2 * 6 * 9).fill(0.25);
  assertClose(resizeBicubic(flat, { width: 9, height: 6 }, { width: 4, height: 11 }), new Array(88).fill(0.25), 1e-6);
  const ramp = Float32Array.from({ length: 64 }, (_, i) => i);
  const small = resizeBicubic(ramp, { width: 64, height: 1 }, { width: 16, height: 1 });
  assertClose(small.subarray(4, 12), Array.from({ length: 8 }, (_, i) => 4 * (i + 4) + 1.5), 1e-5);
});

test("resizeBicubic() treats rows as columns", () => {
  const planes = Float32Array.from({ length: 5 * 7 }, () => random());
  const turned = planes.map((_, i) => planes[(i % 5) * 7 + Math.floor(i / 5)]);
  const a = resizeBicubic(planes, { width: 7, height: 5 }, { width: 3, height: 4 });
  const b = resizeBicubic(turned, { width: 5, height: 7 }, { width: 4, height: 3 });
  assertClose(a, Float32Array.from({ length: 12 }, (_, i) => b[(i % 3) * 4 + Math.floor(i / 3)]), 1e-6);
});
