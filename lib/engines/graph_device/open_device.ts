/**
 * Chooses the device of models.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { WebGpuOpening } from "../../compute/webgpu/webgpu_device.ts";
import { cpuThreads } from "../../platform/machine/cpu_threads.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";
import { modelUnavailable } from "../../errors/make_error.ts";

/** `auto` is the GPU if there is one, else the CPU. */
export type DeviceChoice = "auto" | "cpu" | "webgpu";

/**
 * Opens a device. Its code is imported on demand.
 *
 * @throws {SvcError} `model_device_unavailable` when `webgpu` was asked for and there is no GPU.
 */
export async function openDevice(choice: DeviceChoice, threads?: number): Promise<Device> {
  if (choice !== "cpu") {
    const opened = await openGpu();
    if (opened.ok) return opened.device;
    if (choice === "webgpu") {
      const message = `Cannot open a GPU: ${opened.reason}; ${opened.remedy}, or use --device cpu`;
      throw modelUnavailable("model_device_unavailable", message);
    }
  }
  const { openOnnxDevice } = await import("../../compute/onnx/onnx_device.ts");
  return await openOnnxDevice({ threads: threads ?? cpuThreads() });
}

/** The GPU of this machine, or why there is none. */
export async function openGpu(): Promise<WebGpuOpening> {
  if (vulkanDrivers() === "none") {
    return { ok: false, reason: "no Vulkan driver is installed", remedy: "install the GPU's driver" };
  }
  const { openWebGpuDevice } = await import("../../compute/webgpu/webgpu_device.ts");
  return await openWebGpuDevice();
}
