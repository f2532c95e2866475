import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import {
  encodeSafetensors,
  f32,
  floatToHalf,
  Graph,
  halfToFloat,
  openSafetensors,
  sizeOf,
  type Tensor,
  tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { embeddingRows } from "../../../lib/models/checkpoint/stored_weight.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { type TextEncoderConfig, textEncoderShapes } from "../../../lib/models/arworld/config.ts";
import { encodeText } from "../../../lib/models/arworld/text/text_encoder.ts";
import { layersAtOnce, TextStream } from "../../../lib/models/arworld/text/text_stream.ts";
import { readWeights } from "../../../lib/models/checkpoint/read_weights.ts";
import { seededRandom } from "../../support/random.ts";

const config: TextEncoderConfig = {
  ...{ vocab: 50, dim: 32, dimAttn: 32, dimFfn: 64, numHeads: 4, numLayers: 3, numBuckets: 8 },
};

/** Weights whose residual stream grows as that of UMT5-XXL does: past what 16-bit floats hold. */
function largeWeights(): Map<string, Tensor> {
  const next = seededRandom(5);
  return new Map(Array.from(textEncoderShapes(config), ([name, shape]) => {
    const scale = /fc2|attn\.o/.test(name) ? 4e4 : 1;
    const norm = shape.length === 1;
    const data = Float32Array.from({ length: sizeOf(shape) }, () => norm ? 1 : (next() - 0.5) * scale);
    return [name, f32(shape, data)];
  }));
}

const ids = [3, 17, 42, 1];

test("TextStream gives what the whole encoder gives, beyond the range of 16-bit floats, and each text once", async () => {
  const weights = new Weights(largeWeights());
  const kept = new Map<string, Float32Array>();
  let devices = 0;
  const stream = new TextStream({
    ...{ config, weights },
    openDevice: () => (devices++, openOnnxDevice({ threads: 1 })),
    store: {
      get: (key) => Promise.resolve(kept.get(key)),
      set: (key, rows) => Promise.resolve(void kept.set(key, rows)),
    },
  });
  const rows = await stream.encode(ids);
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const graph = new Graph();
    let residual = graph.input("rows", [ids.length, config.dim]);
    graph.output("text", encodeText(residual, config, weights));
    const { textLayer } = await import("../../../lib/models/arworld/text/text_encoder.ts");
    for (let i = 0; i < config.numLayers; i++) residual = textLayer(residual, config, weights.at(`blocks.${i}`)).output;
    graph.output("residual", residual);
    const program = await device.compile(graph);
    const inputs = embeddingRows(weights.matrix("token_embedding.weight"), ids, ids.length);
    const outputs = await program.run({ rows: inputs });
    const whole = (await outputs.text.read()).data;
    rows.forEach((value, i) => assert.ok(Math.abs(value - whole[i]) < 1e-4, `${i}: ${value}, expected ${whole[i]}`));
    const large = (await outputs.residual.read()).data;
    assert.ok(large.every(Number.isFinite));
    assert.ok(large.some((value) => !Number.isFinite(halfToFloat(floatToHalf(value)))), "the test would show nothing");
  } finally {
    device.dispose();
  }
  assert.deepEqual(await stream.encode(ids), rows);
  assert.equal(devices, 1);
  await stream.encode([...ids, 2]);
  assert.equal(devices, 2);
  // Other weights, other keys.
  const others = largeWeights();
  others.set("norm.weight", f32([config.dim], new Float32Array(config.dim).fill(2)));
  const other = new TextStream({
    config,
    weights: new Weights(others),
    openDevice: () => openOnnxDevice({ threads: 1 }),
  });
  assert.ok((await other.encode(ids)).every((value, i) => Math.abs(value - 2 * rows[i]) < 1e-3));
  assert.equal(layersAtOnce({ ...config, dim: 4096, dimAttn: 4096, dimFfn: 10240, numLayers: 24 }), 1);
});

test("weights that stay in their file are read when they are used, and only what is used of them", async () => {
  const stored = largeWeights();
  stored.set("token_embedding.weight", f32([5000, 32], Float32Array.from({ length: 160000 }, (_, i) => i)));
  stored.set("half", tensor("f16", [200, 200], new Uint16Array(40000).fill(0x3c00)));
  const bytes = encodeSafetensors(stored);
  const read = (at: number, length: number) => bytes.subarray(at, at + length);
  const file = await openSafetensors("m.safetensors", {
    size: bytes.length,
    read: (at, length) => Promise.resolve(read(at, length)),
    readSync: read,
  });
  const reads: number[] = [];
  const shapes = new Map([["token_embedding.weight", [5000, 32]], ["half", [200, 200]], ["norm.weight", [32]]]);
  const problems: string[] = [];
  const options = { later: true, meter: { expect: () => (length: number) => void reads.push(length) } };
  const [weights] = await readWeights([{ file, shapes }], problems, options);
  assert.deepEqual([problems, reads], [[], []]);
  const rows = embeddingRows(weights.matrix("token_embedding.weight"), [7, 4999], 2);
  assert.deepEqual([rows.data[0], rows.data[63]], [7 * 32, 159999]);
  assert.deepEqual(reads.splice(0), [128, 128]);
  assert.equal(weights.get("half", [40000]).data.length, 40000);
  const part = weights.rows("half", 3, 2);
  assert.ok("data" in part && part.data.length === 400);
  assert.deepEqual(reads.splice(0), [80000, 800]);
  assert.equal(weights.get("norm.weight").data.length, 32);
  assert.deepEqual(reads, []);
});
