import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { gather } from "../../../lib/compute/tensor/ops/layout.ts";
import { softmax } from "../../../lib/compute/tensor/ops/norm.ts";
import { f32, i32 } from "../../../lib/compute/tensor/tensor.ts";
import { gpuSources } from "../../../lib/compute/webgpu/adapters.ts";
import { kernelReach } from "../../../lib/compute/webgpu/lowering/kernel_reach.ts";
import { openSource } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { opCases } from "../../support/op_cases.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { testSource } from "../../support/webgpu_device.ts";

/** Dawn without its checks; Deno's WebGPU has no switch for them. */
const source = "Deno" in globalThis ? undefined : (await gpuSources(true)).find(({ unchecked }) => unchecked);
const opening = source && await openSource(source, { allowSoftware: true, precision: "f32" });
const device = opening?.ok ? opening.device : undefined;
const skip = device ? false : "this needs an adapter of Dawn";
after(() => device?.dispose());

test("gpuSources() has the checks of indices by default", async () => {
  assert.ok((await gpuSources()).every(({ unchecked }) => !unchecked));
});

test("Every operator computes the same without checks of indices and zeroed workgroup memory", { skip }, async (t) => {
  for (const { name, graph, feeds } of opCases()) {
    await t.test(name, async () => {
      const program = await device!.compile(graph);
      const { y } = await program.run(feeds);
      assertClose((await y.read()).data, evaluate(graph, feeds).y.data, 5e-6);
      y.release();
      program.dispose();
    });
  }
});

test("Indices from data stay within their table where nothing checks them", { skip }, async () => {
  const graph = new Graph();
  graph.output("y", gather(graph.input("x", [3, 5]), graph.input("rows", [4], "int")));
  const program = await device!.compile(graph);
  const { y } = await program.run({
    x: f32([3, 5], Float32Array.from({ length: 15 }, (_, i) => i + 1)),
    rows: i32([4], [2, 2 ** 30, -1, 0]),
  });
  const { data } = await y.read();
  assert.deepEqual([...data.subarray(0, 5), ...data.subarray(15)], [11, 12, 13, 14, 15, 1, 2, 3, 4, 5]);
  y.release();
  program.dispose();
});

test("Device.compile() refuses what it cannot prove, on a device without checks alone", { skip }, async () => {
  const graph = new Graph();
  graph.output("y", softmax(graph.input("x", [4, 8])));
  const reaches = kernelReach as Map<string, () => Record<string, number>>;
  const softmaxReach = reaches.get("softmax")!;
  reaches.set("softmax", () => ({ input: 32, output: 33 }));
  const checked = await openSource((await testSource())!, { allowSoftware: true, precision: "f32" });
  assert.ok(checked.ok);
  try {
    (await checked.device.compile(graph)).dispose();
    await assert.rejects(device!.compile(graph), /softmax without bounds checks: .* byte 144 .*, expected at most 128/);
  } finally {
    reaches.set("softmax", softmaxReach);
    checked.device.dispose();
  }
  (await device!.compile(graph)).dispose();
});
