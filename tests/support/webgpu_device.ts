/**
 * The device that kernels are tested on: Deno's own WebGPU (wgpu) on Deno and Dawn on Node, so that both compilers of
 * WGSL see every kernel.
 *
 * @module
 */
import assert from "node:assert/strict";
import process from "node:process";
import type { Device, Precision } from "../../lib/compute/tensor/device.ts";
import { type GpuSource, gpuSources } from "../../lib/compute/webgpu/adapters.ts";
import { openSource, openWebGpuDevice } from "../../lib/compute/webgpu/webgpu_device.ts";

/** The source of adapters that this runtime's tests use. */
export async function testSource(): Promise<GpuSource | undefined> {
  const wanted = "Deno" in globalThis ? "navigator.gpu" : "dawn";
  return (await gpuSources()).find(({ name }) => name === wanted);
}

/** An adapter's device without our wrapper, for tests that break it or lower its limits. */
export async function openRawDevice(): Promise<GPUDevice | string> {
  const source = await testSource();
  const adapter = await source?.gpu.requestAdapter();
  return adapter ? await adapter.requestDevice() : "no adapter was found";
}

/**
 * Opens the adapter under test, and has the bounds of every program proved, which a device without checks needs; gives the reason where there is none.
 *
 * @throws when the test set-up promised a software adapter and there is none.
 */
export async function openTestDevice(precision: Precision = "f32"): Promise<Device | string> {
  const source = await testSource();
  const opening = source
    ? await openSource({ ...source, unchecked: true }, { allowSoftware: true, precision })
    : await openWebGpuDevice({ allowSoftware: true, precision });
  if (opening.ok) return opening.device;
  const promised = process.env.SVC_TEST_ADAPTER === "software" && precision === "f32";
  assert.ok(!promised, `SVC_TEST_ADAPTER promises a software adapter, but ${opening.reason}`);
  return opening.reason;
}
