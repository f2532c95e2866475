/**
 * Chooses where models run.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import type { Device } from "../../compute/tensor/mod.ts";
import type { WebGpuOpening } from "../../compute/webgpu/webgpu_device.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";

/** `auto` is the GPU when there is one, else the CPU. */
export type DeviceChoice = "auto" | "cpu" | "webgpu";

/** The device that was asked for is not there; the message says why and what to do. */
export class DeviceUnavailableError extends Error {
  override name = "DeviceUnavailableError";
  readonly code = "model_device_unavailable";
}

/**
 * Opens a device. Its code is loaded only now.
 *
 * @throws {DeviceUnavailableError} when `webgpu` was asked for and there is no GPU.
 */
export async function openDevice(choice: DeviceChoice, threads?: number): Promise<Device> {
  if (choice !== "cpu") {
    const opened = await openGpu();
    if (opened.ok) return opened.device;
    if (choice === "webgpu") {
      throw new DeviceUnavailableError(`Cannot open a GPU: ${opened.reason}; ${opened.remedy}, or use --device cpu`);
    }
  }
  const { openOnnxDevice } = await import("../../compute/onnx/onnx_device.ts");
  return await openOnnxDevice({ threads: threads ?? availableParallelism() });
}

/** The GPU of this machine, or why there is none. */
export async function openGpu(): Promise<WebGpuOpening> {
  if (vulkanDrivers() === "none") {
    return { ok: false, reason: "no Vulkan driver is installed", remedy: "install the driver of the GPU" };
  }
  const { openWebGpuDevice } = await import("../../compute/webgpu/webgpu_device.ts");
  return await openWebGpuDevice();
}
