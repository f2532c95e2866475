import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dequantize,
  groupSizes,
  quantize,
  quantizedMatrix,
  quantizedRows,
} from "../../../lib/compute/tensor/quantized_matrix.ts";
import { f32, tensor } from "../../../lib/compute/tensor/tensor.ts";
import { seededRandom } from "../../support/random.ts";

function randomMatrix(rows: number, columns: number, seed: number, size = 1) {
  const random = seededRandom(seed);
  return f32([rows, columns], Float32Array.from({ length: rows * columns }, () => size * (2 * random() - 1)));
}

test("quantize() errs by at most half a step of 8 bits and by three steps of 4 bits", () => {
  let seed = 1;
  for (const bits of [8, 4] as const) {
    for (const groupSize of groupSizes) {
      for (const [rows, columns] of [[1, 1], [3, 5], [2, 16], [5, 257], [7, 96]]) {
        const weight = randomMatrix(rows, columns, seed++);
        const matrix = quantize(weight, { bits, groupSize });
        assert.equal(matrix.groups, Math.ceil(columns / groupSize));
        const back = dequantize(matrix);
        const scales = dequantize({ ...matrix, values: ones(matrix.values.shape, bits), zeroPoints: undefined }).data;
        back.data.forEach((value, i) => {
          // A 4-bit scale reaches from -8 to 7 and may be a fifth smaller than what reaches all weights.
          const step = Math.abs(scales[i]) * (bits === 4 ? 6.1 : 1.02);
          assert.ok(
            Math.abs(value - weight.data[i]) <= step / 2 + 1e-7,
            `${bits} ${groupSize} ${rows}x${columns} ${i}`,
          );
        });
      }
    }
  }
});

/** Numbers one above the middle, so that a dequantised element is its scale. */
function ones(shape: readonly number[], bits: 4 | 8) {
  return tensor("u8", shape, new Uint8Array(shape[0] * shape[1]).fill(bits === 8 ? 129 : 0x99));
}

test("quantize() keeps what the bits can hold exactly", () => {
  const eight = Float32Array.from({ length: 255 }, (_, i) => (i - 127) / 64);
  assert.deepEqual(dequantize(quantize(f32([1, 255], eight), { bits: 8, groupSize: 256 })).data, eight);
  const four = Float32Array.from({ length: 16 }, (_, i) => (i - 8) / 4);
  assert.deepEqual(dequantize(quantize(f32([1, 16], four), { bits: 4, groupSize: 16 })).data, four);
  const turned = four.map((x) => -x);
  assert.deepEqual(dequantize(quantize(f32([1, 16], turned), { bits: 4, groupSize: 16 })).data, turned);
});

test("quantize() takes groups of zeros, tiny and huge weights", () => {
  for (const bits of [8, 4] as const) {
    const zeros = quantize(f32([2, 33], new Float32Array(66)), { bits });
    assert.ok(dequantize(zeros).data.every((x) => x === 0));
    for (const size of [1e-9, 1e9, 1e-38]) {
      const weight = randomMatrix(2, 40, 3, size);
      const matrix = quantize(weight, { bits });
      assert.equal(matrix.scales.dtype, "f32");
      dequantize(matrix).data.forEach((x, i) => assert.ok(Math.abs(x - weight.data[i]) <= 0.15 * size));
    }
  }
});

test("quantize() refuses anything but a matrix of finite numbers", () => {
  assert.throws(() => quantize(f32([4], [1, 2, 3, 4]), { bits: 8 }), /Cannot quantise \[4\]: expected a matrix/);
  assert.throws(() => quantize(f32([1, 2], [1, NaN]), { bits: 8 }), /it holds NaN, expected finite numbers/);
  assert.throws(
    () => quantize(f32([1, 2], [1, 2]), { bits: 4, groupSize: 24 }),
    /groups of 24: expected one of 16, 32/,
  );
});

test("quantizedMatrix() says which part does not fit", () => {
  const parts = quantize(randomMatrix(3, 40, 1), { bits: 4 });
  const wrong = (change: object) => () => quantizedMatrix({ ...parts, ...change });
  assert.throws(wrong({ shape: [3, 65] }), /a row has 2 groups of 32, expected 3/);
  assert.throws(wrong({ shape: [4, 40] }), /values are u8 \[3,32\], expected u8 with 4 rows/);
  assert.throws(wrong({ scales: f32([3, 4], new Float32Array(12)) }), /a row has 4 groups of 16, expected 3/);
  assert.throws(wrong({ bits: 2 }), /it has 2 bits, expected 4 or 8/);
  const zeroPoints = tensor("u8", [3, 2], Uint8Array.of(0, 1, 2, 3, 4, 16));
  assert.throws(wrong({ zeroPoints }), /a zero point is 16, expected at most 15/);
});

test("quantizedRows() takes the rows of all parts", () => {
  const zeroPoints = tensor("u8", [5, 2], Uint8Array.from({ length: 10 }, (_, i) => i));
  const matrix = { ...quantize(randomMatrix(5, 33, 9), { bits: 4, groupSize: 32 }), zeroPoints };
  const all = dequantize(matrix).data;
  const rows = quantizedRows(matrix, 2, 2);
  assert.deepEqual(rows.shape, [2, 33]);
  assert.deepEqual(dequantize(rows).data, all.slice(66, 132));
  assert.deepEqual(dequantize(matrix, 4, 1).data, all.slice(132));
});
