/**
 * Where a model computes in a browser.
 *
 * @module
 */
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { openWebGpuDevice } from "../../lib/compute/webgpu/webgpu_device.ts";

/** `auto` is the GPU if there is one, else WebAssembly. */
export type TabDevice = "auto" | "webgpu" | "wasm";

/**
 * Opens the GPU, or ONNX Runtime in WebAssembly where there is none.
 *
 * @throws {Error} when `webgpu` was asked for and there is no GPU.
 */
export async function openTabDevice(choice: TabDevice, threads: number): Promise<Device> {
  if (choice !== "wasm") {
    const opened = await openWebGpuDevice();
    if (opened.ok) return opened.device;
    if (choice === "webgpu") {
      throw new Error(`Cannot open a GPU: ${opened.reason}; remove device=webgpu from the address`);
    }
  }
  return await openOnnxDevice({ threads });
}
