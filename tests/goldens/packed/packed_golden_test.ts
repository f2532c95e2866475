import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byteSource,
  encodeSafetensors,
  floatToHalf,
  openSafetensors,
  type Tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { Golden } from "../golden.ts";
import { keepOutputs } from "./keep_outputs.ts";
import { numpyNormals } from "./numpy_normals.ts";
import { packGolden } from "./pack_golden.ts";
import { unpackGolden } from "./packed_golden.ts";
import { TorchNormals } from "./torch_normals.ts";

const SHAPE = [4, 100, 100];
const TOLERANCE = 1e-4;

test("TorchNormals and numpyNormals() make what torch and numpy make", () => {
  // torch.manual_seed(1047); torch.randn(35)[-5:]
  const torch = [...new TorchNormals(1047).at(0, 35)].slice(-5).map((value) => value.toFixed(4));
  assert.deepEqual(torch, ["0.5280", "-1.7325", "-0.6136", "0.9116", "1.3831"]);
  // numpy.random.default_rng(7100).standard_normal(300000)
  const numpy = numpyNormals(7100, 300_000);
  assert.deepEqual([numpy[0].toFixed(10), numpy[299_999].toFixed(10)], ["0.4019914329", "2.8110039613"]);
});

test("packGolden() keeps every bit, and makes weights of a seed again", async () => {
  const weights = Uint16Array.from(new TorchNormals(9).at(64, 4096), (value) => floatToHalf(value / 8));
  const odd = new Float32Array([0, -0, Infinity, -Infinity, 1e-40, 0.1, -3]);
  const tensors = new Map<string, Tensor>([
    ["w.matrix", { dtype: "f16", shape: [64, 64], data: weights }],
    ["in.odd", { dtype: "f32", shape: [7], data: odd }],
    ["out.steps", { dtype: "f32", shape: [4], data: new Float32Array([0.25, -8, Infinity, 3]) }],
    ["in.bytes", { dtype: "u8", shape: [2, 3], data: new Uint8Array([1, 255, 0, 7, 9, 128]) }],
  ]);
  const file = encodeSafetensors(tensors, new Map([["seed", "9"]]));
  const packed = await packGolden(file);
  assert.deepEqual(unpackGolden(packed), file);
  assert.ok(packed.length < 1500, `${packed.length} bytes of ${file.length}`);
});

test("a sampled output shows every wrong number, line, plane and tile", async () => {
  const right = Float32Array.from(numpyNormals(5, 40_000));
  const tensors = new Map<string, Tensor>([["out.y", { dtype: "f32", shape: SHAPE, data: right }]]);
  const kept = await keepOutputs(encodeSafetensors(tensors), new Map([["y", TOLERANCE]]));
  const isWithin = async (change: (data: Float32Array) => void) => {
    const golden = await Golden.read(await openSafetensors("kept", byteSource(kept)));
    const data = right.slice();
    change(data);
    golden.compare("y", data, TOLERANCE);
    return golden.comparisons.every((one) => one.maxAbs <= one.tolerance) && golden.uncompared.length === 0;
  };
  assert.ok(await isWithin(() => {}));
  assert.ok(await isWithin((data) => data.forEach((_, i) => data[i] += (i % 2 ? 0.9 : -0.9) * TOLERANCE)));
  const swap = (data: Float32Array, a: number, b: number, length: number) => {
    data.set(right.subarray(a, a + length), b);
    data.set(right.subarray(b, b + length), a);
  };
  const wrong: Record<string, (data: Float32Array) => void> = {
    "a row moved by one": (data) => data.set(right.subarray(0, 99), 1),
    "two rows swapped": (data) => swap(data, 300, 700, 100),
    "two planes swapped": (data) => swap(data, 0, 10_000, 10_000),
    "a tile of zeros": (data) => {
      for (let y = 40; y < 48; y++) data.fill(0, 20_000 + y * 100 + 40, 20_000 + y * 100 + 48);
    },
    "everything off by twice the tolerance": (data) => data.forEach((_, i) => data[i] += 2 * TOLERANCE),
  };
  for (const [name, change] of Object.entries(wrong)) assert.ok(!await isWithin(change), name);
  for (let at = 0; at < 40; at++) {
    const place = (at * 997) % right.length;
    assert.ok(!await isWithin((data) => void (data[place] += 0.02)), `one wrong number at ${place}`);
  }
});
