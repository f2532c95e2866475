import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byteSource,
  dequantize,
  encodeSafetensors,
  f32,
  Graph,
  openSafetensors,
  quantize,
  type Tensor,
  tensor,
  type TensorFile,
  tensorPart,
} from "../../../lib/compute/tensor/mod.ts";
import { dense, denseRows } from "../../../lib/models/layers/dense.ts";
import {
  checkWeight,
  describeWeight,
  embeddingRows,
  isQuantized,
  partsOfWeight,
  readWeight,
} from "../../../lib/models/checkpoint/stored_weight.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";

const matrix = quantize(f32([6, 40], Float32Array.from({ length: 240 }, (_, i) => Math.sin(i))), { bits: 4 });
const zeros = tensor("u8", [6, 2], Uint8Array.from({ length: 12 }, (_, i) => i));

function fileOf(tensors: Record<string, Tensor>): Promise<TensorFile> {
  return openSafetensors("model.safetensors", byteSource(encodeSafetensors(new Map(Object.entries(tensors)))));
}

async function problemsOf(tensors: Record<string, Tensor>, shape: readonly number[]): Promise<string[]> {
  const problems: string[] = [];
  checkWeight(await fileOf(tensors), "w", shape, problems);
  return problems;
}

test("readWeight() joins the parts of a quantised weight", async () => {
  const file = await fileOf({ "w.q4": matrix.values, "w.scales": matrix.scales, "w.zeros": zeros });
  const problems: string[] = [];
  checkWeight(file, "w", [6, 40], problems);
  assert.deepEqual(problems, []);
  assert.deepEqual(partsOfWeight(file, "w"), ["w.q4", "w.scales", "w.zeros"]);
  const weight = await readWeight(file, "w", [6, 40]);
  assert.ok(isQuantized(weight));
  assert.deepEqual(dequantize(weight).data, dequantize({ ...matrix, zeroPoints: zeros }).data);
});

test("checkWeight() names what a weight lacks", async () => {
  const plain = f32([6, 40], new Float32Array(240));
  assert.deepEqual(await problemsOf({ w: plain }, [6, 40]), []);
  assert.deepEqual(await problemsOf({ v: plain }, [6, 40]), ['model.safetensors lacks tensor "w" [6,40]']);
  assert.deepEqual(await problemsOf({ w: plain }, [6, 41]), [
    'model.safetensors has tensor "w" with shape [6,40], expected [6,41]',
  ]);
  assert.deepEqual(await problemsOf({ "w.q4": matrix.values }, [6, 40]), [
    'model.safetensors lacks tensor "w.scales" beside "w.q4"',
  ]);
  const parts = { "w.q4": matrix.values, "w.scales": matrix.scales };
  assert.match((await problemsOf(parts, [6, 90]))[0], /wrong weight "w": .*a row has 2 groups of 32, expected 3/);
  assert.match((await problemsOf(parts, [5, 40]))[0], /expected u8 with 5 rows/);
  assert.deepEqual(await problemsOf(parts, [6, 40, 1, 1]), ['model.safetensors lacks tensor "w" [6,40,1,1]']);
});

const integers = tensor("i8", [2, 3, 2], Int8Array.from({ length: 12 }, (_, i) => i === 0 ? -128 : 10 * i));

test("readWeight() widens integers of any axes by the scale of their row", async () => {
  for (const scales of [f32([2], [0.5, 2]), tensor("f16", [2, 1, 1], Uint16Array.of(0x3800, 0x4000))]) {
    const file = await fileOf({ w: integers, w_scale: scales });
    assert.deepEqual(partsOfWeight(file, "w"), ["w", "w_scale"]);
    assert.deepEqual(await readWeight(file, "w", [2, 3, 2], true), {
      ...f32([2, 3, 2], [-64, 5, 10, 15, 20, 25, 120, 140, 160, 180, 200, 220]),
    });
    const described = describeWeight(file, "w", [2, 3, 2]);
    assert.deepEqual([isQuantized(described), described.shape], [false, [2, 3, 2]]);
  }
});

test("readWeight() leaves large integers in their file, and widens what is asked for", async () => {
  const [rows, columns] = [300, 250];
  const values = Int8Array.from({ length: rows * columns }, (_, i) => (i * 7) % 255 - 127);
  const scales = f32([rows], Float32Array.from({ length: rows }, (_, row) => 1 + row));
  const bytes = encodeSafetensors(
    new Map<string, Tensor>([["w", tensor("i8", [rows, columns], values)], ["w_scale", scales]]),
  );
  let read = 0;
  const source = {
    ...byteSource(bytes),
    readSync: (offset: number, length: number) => (read += length, bytes.subarray(offset, offset + length)),
  };
  const weight = await readWeight(await openSafetensors("m", source), "w", [rows, columns], true) as Tensor;
  assert.equal(read, 0);
  const part = tensorPart(weight, [2, columns], 7 * columns);
  assert.deepEqual(
    part.data,
    Float32Array.from({ length: 2 * columns }, (_, i) => {
      return values[7 * columns + i] * (i < columns ? 8 : 9);
    }),
  );
  assert.equal(read, 2 * columns);
  assert.deepEqual(weight.data, Float32Array.from(values, (value, i) => value * (1 + Math.floor(i / columns))));
  assert.equal(tensorPart(weight, [3], 2 * columns - 2).data[2], 3 * values[2 * columns]);
});

test("checkWeight() wants a float for every row of integers", async () => {
  const wanted = 'floats [2], since "w" has 8-bit integers';
  const lacks = `model.safetensors lacks tensor "w_scale", expected ${wanted}`;
  assert.deepEqual(await problemsOf({ w: integers }, [2, 3, 2]), [lacks]);
  const three = f32([3], [1, 1, 1]);
  const found = `model.safetensors has tensor "w_scale" as F32 [3], expected ${wanted}`;
  assert.deepEqual(await problemsOf({ w: integers, w_scale: three }, [2, 3, 2]), [found]);
  const ints = tensor("i32", [2], Int32Array.of(1, 1));
  assert.match((await problemsOf({ w: integers, w_scale: ints }, [2, 3, 2]))[0], /as I32 \[2\], expected floats/);
  assert.deepEqual(await problemsOf({ w: integers, w_scale: f32([2], [1, 1]) }, [2, 3, 2]), []);
});

test("dense(), denseRows() and embeddingRows() take quantised weights", () => {
  const weights = new Weights(new Map([["layer.weight", matrix]]));
  const graph = new Graph();
  const x = graph.input("x", [3, 40]);
  assert.deepEqual(dense(x, weights.at("layer")).shape, [3, 6]);
  const part = denseRows(x, weights.at("layer"), { start: 4, count: 2 });
  assert.deepEqual(part.shape, [3, 2]);
  denseRows(x, weights.at("layer"), { start: 4, count: 2 });
  const ops = graph.nodes.map(({ op }) => op).filter((op) => op.kind === "quantizedLinear");
  assert.equal(ops[1].weight, ops[2].weight, "equal rows are one tensor on the device");
  assert.deepEqual(embeddingRows(matrix, [5, 0], 3).data.slice(0, 40), dequantize(matrix, 5, 1).data);
  assert.throws(() => weights.get("layer.weight"), /Cannot use weight "layer.weight": it is quantised/);
  assert.throws(() => weights.rows("layer.weight", 5, 2), /rows 5 to 7 of weight "layer.weight": it has 6/);
});
