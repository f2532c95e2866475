import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import { add } from "../../../lib/compute/tensor/ops/elementwise.ts";
import { f32 } from "../../../lib/compute/tensor/tensor.ts";
import { gpuSources, isSoftware } from "../../../lib/compute/webgpu/adapters.ts";
import { createWebGpuDevice, openWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { openRawDevice, openTestDevice } from "../../support/webgpu_device.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const probe = await openTestDevice();
const skip = typeof probe === "string" ? probe : false;
if (typeof probe !== "string") probe.dispose();

function increment(): Graph {
  const graph = new Graph();
  graph.output("y", add(graph.input("x", [3]), 1));
  return graph;
}

async function rawDevice(): Promise<GPUDevice> {
  const gpu = await openRawDevice();
  assert.ok(typeof gpu !== "string");
  return gpu;
}

test("openWebGpuDevice() opens a device that computes", { skip }, async () => {
  const opening = await openWebGpuDevice({ allowSoftware: true, precision: "f32" });
  assert.ok(opening.ok);
  const { device } = opening;
  assert.equal(device.kind, "webgpu");
  assert.equal(device.precision, "f32");
  assert.match(device.label, /\((Dawn|navigator\.gpu), f32, portable tiles\)$/);
  assert.equal(device.tiles?.kind, "portable tiles");
  assert.ok(device.tiles.reason);
  const program = await device.compile(increment());
  const { y } = await program.run({ x: f32([3], [1, 2, 3]) });
  assert.deepEqual([...(await y.read()).data], [2, 3, 4]);
  device.dispose();
});

test("openWebGpuDevice() refuses adapters that compute on the CPU unless they are allowed", { skip }, async () => {
  const adapters = await Promise.all((await gpuSources()).map(({ gpu }) => gpu.requestAdapter()));
  const opening = await openWebGpuDevice();
  if (adapters.every((adapter) => !adapter || isSoftware(adapter))) {
    assert.ok(!opening.ok);
    assert.match(opening.reason, /computes on the CPU/);
    assert.match(opening.remedy, /cpu device/);
  } else {
    assert.ok(opening.ok);
    opening.device.dispose();
  }
});

test("isSoftware() recognises software adapters by name", () => {
  const adapter = (description: string, isFallbackAdapter = false) =>
    ({ info: { vendor: "", architecture: "", device: "", description, isFallbackAdapter } }) as unknown as GPUAdapter;
  assert.ok(isSoftware(adapter("llvmpipe (LLVM 15.0.6, 256 bits)")));
  assert.ok(isSoftware(adapter("SwiftShader Device (Subzero)")));
  assert.ok(isSoftware(adapter("Microsoft Basic Render Driver")));
  assert.ok(isSoftware(adapter("anything", true)));
  assert.ok(!isSoftware(adapter("NVIDIA H100 80GB HBM3")));
});

test(
  "Device says that it was lost, from pending and later calls, and another one can be opened",
  { skip },
  async () => {
    const gpu = await rawDevice();
    const device = createWebGpuDevice(gpu, "lost", "f32");
    const program = await device.compile(increment());
    const x = device.upload(f32([3], [1, 2, 3]));
    const pending = x.read();
    gpu.destroy();
    await assert.rejects(pending, SvcError);
    assert.equal(typeof await device.lost, "string");
    await assert.rejects(program.run({ x }), SvcError);
    await assert.rejects(device.compile(increment()), SvcError);
    assert.throws(() => device.upload(f32([1], [0])), SvcError);
    program.dispose();
    x.release();
    device.dispose();

    const again = await openTestDevice();
    assert.ok(typeof again !== "string");
    const { y } = await (await again.compile(increment())).run({ x: f32([3], [0, 0, 0]) });
    assert.deepEqual([...(await y.read()).data], [1, 1, 1]);
    again.dispose();
  },
);

test("Device.dispose() makes later calls fail without reporting a loss", { skip }, async () => {
  const device = await openTestDevice();
  assert.ok(typeof device !== "string");
  const program = await device.compile(increment());
  let lost = false;
  device.lost.then(() => lost = true);
  device.dispose();
  device.dispose();
  await assert.rejects(program.run({ x: f32([3], [0, 0, 0]) }), /it was disposed/);
  assert.equal(lost, false);
});

test("Program.run() fails with what the device found wrong, and the device stays usable", { skip }, async () => {
  const gpu = await rawDevice();
  const device = createWebGpuDevice(gpu, "strict", "f32");
  const program = await device.compile(increment());
  const createBindGroup = gpu.createBindGroup.bind(gpu);
  gpu.createBindGroup = (descriptor) => createBindGroup({ ...descriptor, entries: [] });
  await assert.rejects(program.run({ x: f32([3], [0, 0, 0]) }), /Cannot run program: WebGPU reported/);
  gpu.createBindGroup = createBindGroup;
  const again = await device.compile(increment());
  const { y } = await again.run({ x: f32([3], [4, 5, 6]) });
  assert.deepEqual([...(await y.read()).data], [5, 6, 7]);
  device.dispose();
});
