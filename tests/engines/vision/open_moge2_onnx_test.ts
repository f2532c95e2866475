import { test } from "node:test";
import assert from "node:assert/strict";
import { byteSource } from "../../../lib/compute/tensor/mod.ts";
import { wallModel } from "../../fixtures/tiny_models/wall_model.ts";
import { openMoge2Onnx } from "../../../lib/engines/vision/open_moge2_onnx.ts";

test("openMoge2Onnx() runs the export at any size and finds camera and scale", async () => {
  const find = await openMoge2Onnx("wall.onnx", byteSource(wallModel()), 1);
  for (const [width, height] of [[5, 3], [1, 1], [40, 9]]) {
    const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => 160 + i % 90);
    const geometry = await find({ width, height, data }, { tokens: 4 });
    assert.equal(geometry.metricScale, 4);
    assert.ok(geometry.mask.every((v) => v === 1) && geometry.depth.every((v) => v > 0 && v < Infinity));
    assert.deepEqual([...geometry.normal.subarray(0, 3)], [0, 0, -1]);
  }
  const image = { width: 5, height: 3, data: new Uint8Array(45) };
  await assert.rejects(find(image, { tokens: 4, signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.ok((await find(image, { tokens: 4 })).depth.every((v) => v === Infinity));
});

test("openMoge2Onnx() refuses other files", async () => {
  const refused = { code: "model_invalid" };
  await assert.rejects(openMoge2Onnx("x.onnx", byteSource(new Uint8Array(50))), refused);
  await assert.rejects(
    openMoge2Onnx("x.onnx", byteSource(wallModel(["points", "mask"]))),
    /has no normal, metric_scale/,
  );
});
