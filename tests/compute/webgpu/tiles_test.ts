import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { computed } from "../../support/graph_cases.ts";
import { tileCases } from "../../support/tile_cases.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const device = await openTestDevice();
const skip = typeof device === "string" ? device : false;
const onnx = await openOnnxDevice({ threads: 1 });
after(() => {
  onnx.dispose();
  if (typeof device !== "string") device.dispose();
});

for (const [name, each] of Object.entries(tileCases)) {
  test(`openWebGpuDevice() computes ${name} as ONNX Runtime does`, { skip }, async () => {
    assert.ok(typeof device !== "string");
    const [actual, expected] = await computed([device, onnx], each);
    assertClose(actual, expected, 5e-6);
  });
}
