/**
 * Devices that this machine does not have.
 *
 * @module
 */
import type { TriedDevice } from "../../../engines/contract/engine_settings.ts";
import { lacksCudaProvider } from "../../../platform/machine/mounted_driver.ts";
import { vulkanDrivers } from "../../../platform/machine/vulkan_driver.ts";

/** Detected without trying them: their libraries print warnings about missing devices to the terminal. */
export function missingDevices(): readonly TriedDevice[] {
  const missing: TriedDevice[] = [];
  if (lacksCudaProvider()) {
    const remedy =
      'run "npm install onnxruntime-node && npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12" where CUDA 12 is installed';
    missing.push({ device: "cuda", reason: `the library of its provider is not installed, ${remedy}` });
  }
  const drivers = vulkanDrivers();
  if (drivers !== "gpu") {
    const reason = drivers === "none" ? "no Vulkan driver is installed" : "Vulkan has CPU drivers only";
    for (const device of ["webgpu", "vulkan"]) {
      missing.push({ device, reason: `${reason}, install the GPU's driver` });
    }
  }
  return missing;
}
