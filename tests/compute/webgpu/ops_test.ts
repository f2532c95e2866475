import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertClose } from "../../support/assert_close.ts";
import { opCases } from "../../support/op_cases.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const device = await openTestDevice();
const skip = typeof device === "string" ? device : false;
after(() => {
  if (typeof device !== "string") device.dispose();
});

for (const { name, graph, feeds } of opCases()) {
  test(`openWebGpuDevice() computes ${name}`, { skip }, async () => {
    assert.ok(typeof device !== "string");
    const program = await device.compile(graph);
    const { y } = await program.run(feeds);
    const expected = evaluate(graph, feeds).y;
    assert.deepEqual(y.shape, expected.shape);
    assertClose((await y.read()).data, expected.data, 5e-6);
    y.release();
    program.dispose();
  });
}
