import { test } from "node:test";
import assert from "node:assert/strict";
import { ModelBuilder } from "../../../lib/compute/onnx/model_builder.ts";
import { byteSource } from "../../../lib/compute/tensor/mod.ts";
import { openMoge2Onnx } from "../../../lib/engines/onnx_geometry/open_moge2_onnx.ts";

/** A model with the signature of the export that sees a wall: depth 2 + red, facing the camera. */
function wall(outputs = ["points", "normal", "mask", "metric_scale"]): Uint8Array {
  const builder = new ModelBuilder("inside");
  builder.input("image", "float", [1, 3, "height", "width"]);
  builder.input("num_tokens", "int64", []);
  const pixels = builder.node("Transpose", ["image"], { perm: [0, 2, 3, 1] });
  const twos = builder.constant("float", [3], Float32Array.of(0.5, 0.25, 2));
  const ones = builder.constant("float", [3], Float32Array.of(0, 0, -1));
  const zero = builder.constant("float", [], Float32Array.of(0));
  const scale = builder.node("Cast", ["num_tokens"], { to: 1 });
  const values: Record<string, [string, (number | string)[]]> = {
    points: [builder.node("Add", [pixels, twos]), [1, "height", "width", 3]],
    normal: [builder.node("Add", [builder.node("Mul", [pixels, zero]), ones]), [1, "height", "width", 3]],
    mask: [builder.node("ReduceMax", [pixels, builder.integers([3])], { keepdims: 0 }), [1, "height", "width"]],
    metric_scale: [builder.node("Reshape", [scale, builder.integers([1])]), [1]],
  };
  for (const name of outputs) builder.output(name, "float", values[name][1], values[name][0]);
  return builder.finish().bytes;
}

test("openMoge2Onnx() runs the export at any size and finds camera and scale", async () => {
  const find = await openMoge2Onnx("wall.onnx", byteSource(wall()), 1);
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
  await assert.rejects(openMoge2Onnx("x.onnx", byteSource(wall(["points", "mask"]))), /has no normal, metric_scale/);
});
