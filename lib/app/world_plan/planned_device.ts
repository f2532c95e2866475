/**
 * What a plan needs to know of a device, from its name alone.
 *
 * @module
 */
import type { Precision } from "../../compute/tensor/mod.ts";
import { hasCudaProvider } from "../../platform/machine/cuda_provider.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";

/** Where values are, and how many bits they have. */
export interface PlannedDevice {
  /** Whether frames are made in ordinary memory. */
  readonly isCpu: boolean;
  readonly precision: Precision;
}

/** What this machine has, as far as that is known without opening anything. */
export interface MachineDevices {
  readonly webgpu: boolean;
  readonly cuda: boolean;
}

/** Providers of ONNX Runtime compute our graphs in 32-bit floats. */
const PROVIDERS = /^(?:cuda|tensorrt|coreml|dml)\b/;

const CPU: PlannedDevice = { isCpu: true, precision: "f32" };
const PROVIDER: PlannedDevice = { isCpu: false, precision: "f32" };
const WEBGPU: PlannedDevice = { isCpu: false, precision: "f16" };

/**
 * The device of this name: a choice such as `webgpu`, or the label of one that is open, such as `cuda (ONNX Runtime)`.
 * `auto` is the one that takes the least memory of those that may be opened; once a model runs, it names itself.
 */
export function plannedDevice(device: string, machine: () => MachineDevices = thisMachine): PlannedDevice {
  if (device.startsWith("cpu")) return CPU;
  if (device !== "auto") return PROVIDERS.test(device) ? PROVIDER : WEBGPU;
  const { webgpu, cuda } = machine();
  return webgpu ? WEBGPU : cuda ? PROVIDER : CPU;
}

function thisMachine(): MachineDevices {
  return { webgpu: vulkanDrivers() === "gpu", cuda: hasCudaProvider() };
}
