import assert from "node:assert/strict";
import { test } from "node:test";
import { type Device, f32, Graph, ops } from "../../lib/compute/mod.ts";
import { type TabDevice, TabDevices } from "../../site/world/tab_device.ts";
import { brokenGpu, type GpuFault } from "../support/broken_gpu.ts";

/** Opens devices where `navigator.gpu` has a fault. */
async function withGpu(fault: GpuFault | undefined, choice: TabDevice, test: (devices: TabDevices) => Promise<void>) {
  const had = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const navigator = fault === undefined ? {} : { gpu: brokenGpu(fault) };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  try {
    await test(new TabDevices(choice, 1));
  } finally {
    if (had) Object.defineProperty(globalThis, "navigator", had);
  }
}

/** What a model does with a device when it is loaded. */
async function load(devices: TabDevices): Promise<Device> {
  const device = await devices.open();
  try {
    const graph = new Graph();
    graph.output("y", ops.mul(graph.input("x", [2]), 3));
    const { y } = await (await device.compile(graph)).run({ x: f32([2], [1, 2]) });
    assert.deepEqual([...(await y.read()).data], [3, 6]);
    return device;
  } catch (error) {
    device.dispose();
    throw error;
  }
}

const FAULTS: readonly (readonly [GpuFault, RegExp])[] = [
  ["no adapter", /^cpu \(1 thread\), without WebGPU: no adapter was found$/],
  ["no device", /^cpu \(1 thread\), without WebGPU: the driver is too old$/],
  ["lost at once", /^cpu \(1 thread\), without WebGPU: the GPU fell out$/],
  ["no kernels", /^cpu \(1 thread\), without WebGPU: Cannot compile kernel: WebGPU reported "no such operation"$/],
];

for (const [fault, label] of FAULTS) {
  test(`a tab whose GPU has the fault "${fault}" computes on the CPU and says why`, () =>
    withGpu(fault, "auto", async (devices) => {
      const device = await devices.attempt(() => load(devices));
      assert.match(device.label, label);
      device.dispose();
      // It is not asked again.
      const next = await devices.attempt(() => load(devices));
      assert.match(next.label, label);
      next.dispose();
    }));
}

test("a GPU that was asked for by name is not replaced, and none is asked for where WebAssembly was chosen", async () => {
  await withGpu("no adapter", "webgpu", async (devices) => {
    await assert.rejects(
      devices.attempt(() => load(devices)),
      /Cannot open a GPU: no adapter was found; remove device=/,
    );
  });
  await withGpu(undefined, "webgpu", async (devices) => {
    await assert.rejects(devices.open(), /this browser has no WebGPU/);
  });
  for (const [fault, choice] of [["no adapter", "wasm"], [undefined, "auto"]] as const) {
    await withGpu(fault, choice, async (devices) => {
      const device = await devices.open();
      assert.equal(device.label, "cpu (1 thread)");
      device.dispose();
    });
  }
});

test("what fails for another reason than the GPU is not done again", () =>
  withGpu("no adapter", "auto", async (devices) => {
    let count = 0;
    await (await devices.open()).dispose();
    const work = () => Promise.reject(new Error(`time ${++count}`));
    await assert.rejects(devices.attempt(work), /time 1/);
  }));
