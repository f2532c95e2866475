import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { opCases } from "../../support/op_cases.ts";
import { evaluate } from "../../support/reference_ops.ts";

const device = await openOnnxDevice({ threads: 2 });
after(() => device.dispose());

for (const { name, graph, feeds } of opCases()) {
  test(`openOnnxDevice() computes ${name}`, async () => {
    const program = await device.compile(graph);
    const { y } = await program.run(feeds);
    const expected = evaluate(graph, feeds).y;
    assert.deepEqual(y.shape, expected.shape);
    assertClose((await y.read()).data, expected.data, 2e-6);
    y.release();
    program.dispose();
  });
}
