import { test } from "node:test";
import assert from "node:assert/strict";
import { attention, f32, gather, Graph, groupedAttention, i32, type Value } from "../../../lib/compute/tensor/mod.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";

/** Heads of keys or values repeated for every query head that looks at them. */
function repeatHeads(x: Value, size: number): Value {
  const index = Int32Array.from({ length: x.shape[1] * size }, (_, h) => Math.floor(h / size));
  return gather(x, x.graph.constant(i32([index.length], index)), 1);
}

for (const [name, biasShape] of [["no bias", undefined], ["a bias a key", [7]], ["a full bias", [5, 7]]] as const) {
  test(`groupedAttention() with ${name} equals attention over repeated heads`, async () => {
    const random = seededRandom(1);
    const graph = new Graph();
    const draw = (shape: readonly number[]) =>
      graph.constant(f32(shape, Array.from({ length: shape.reduce((n, d) => n * d, 1) }, () => 4 * random() - 2)));
    const [q, k, v] = [draw([5, 6, 4]), draw([7, 2, 4]), draw([7, 2, 3])];
    const bias = biasShape && draw(biasShape);
    graph.output("grouped", groupedAttention(q, k, v, { bias }));
    graph.output("repeated", attention(q, repeatHeads(k, 3), repeatHeads(v, 3), { bias }));
    const device = await openOnnxDevice();
    const { grouped, repeated } = await (await device.compile(graph)).run({});
    assert.deepEqual(grouped.shape, [5, 6, 3]);
    assertClose((await grouped.read()).data, (await repeated.read()).data, 1e-6);
    device.dispose();
  });
}
