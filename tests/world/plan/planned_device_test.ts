import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPlan, reportPlan } from "../../../cli/plan/plan_report.ts";
import type { DescribedWorld } from "../../../lib/world/plan/described_world.ts";
import { plannedDevice } from "../../../lib/world/plan/planned_device.ts";
import { worldMemory } from "../../../lib/world/host/world_memory.ts";
import type { Precision } from "../../../lib/compute/tensor/mod.ts";

const machine = (webgpu: boolean, cuda: boolean) => () => ({ webgpu, cuda });

test("plannedDevice() returns the precision of the device that is opened", () => {
  const cases: readonly (readonly [device: string, webgpu: boolean, cuda: boolean, isCpu: boolean, bits: string])[] = [
    ["cpu (2 threads)", true, true, true, "f32 f32"],
    ["NVIDIA L4 (Dawn, f16, portable tiles)", true, true, false, "f16 f16"],
    ["webgpu", false, false, false, "f16 f16"],
    ["cuda f16 (ONNX Runtime)", true, true, false, "f32 f16"],
    ["cuda (ONNX Runtime)", true, true, false, "f32 f32"],
    ["coreml", true, true, false, "f32 f32"],
    ["tensorrt", false, true, false, "f32 f16"],
    ["auto", true, true, false, "f16 f16"],
    ["auto", false, true, false, "f32 f16"],
    ["auto", false, false, true, "f32 f32"],
  ];
  for (const [device, webgpu, cuda, isCpu, bits] of cases) {
    const [precision, weights] = bits.split(" ");
    const found = plannedDevice(device, machine(webgpu, cuda));
    assert.deepEqual(found, { isCpu, precision, weights }, `${device} ${webgpu} ${cuda}`);
  }
});

/** A world that takes a thousand bytes in 16 bits and twice that in 32. */
const world = {
  ...{ kind: "arworld", own: undefined, fileBytes: 1, frames: 12 },
  gpu: (_: unknown, precision: Precision) =>
    Promise.resolve({
      ...{
        totalBytes: precision === "f16" ? 1000 : 2000,
        weightBytes: { transformer: precision === "f16" ? 800 : 1600 },
      },
      ...{ scratchBytes: 0, stateBytes: 0 },
      ...{ snapshotBytes: 0, largestBinding: 0, flops: { matmul: 1, conv: 1, attention: 1 } },
    }),
  cpu: () => Promise.resolve(1),
  chain: () => 1,
} as unknown as DescribedWorld;

test("worldMemory() and the plan follow the device that was opened", async () => {
  const memory = worldMemory({ describe: () => Promise.resolve(world), unit: 32 });
  const size = { width: 32, height: 32, frames: 12 };
  assert.equal(await memory.plan(size, "NVIDIA L4 (Dawn, f16, portable tiles)"), 1000);
  assert.equal(await memory.plan(size, "cuda (ONNX Runtime)"), 2000);
  assert.equal(await memory.plan(size, "cuda f16 (ONNX Runtime)"), 1200);
  const report = await reportPlan("hall", world, { width: 32, height: 32 }, { gpuBytes: 1500 }, {
    ...{ label: "cuda (ONNX Runtime)", kind: "cpu" },
    speed: { matmul: 1, conv: 1, attention: 1 },
  });
  assert.deepEqual([report.precision, report.sizes[0].gpuFits], ["f32", false]);
  assert.match(formatPlan(report), /GPU \(f32\)/);
});
