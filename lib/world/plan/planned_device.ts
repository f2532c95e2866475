/**
 * The properties of a device that a plan needs, from its name alone.
 *
 * @module
 */
import type { Precision } from "../../compute/tensor/mod.ts";
import type { DescribedWorld } from "./described_world.ts";
import { hasCudaProvider } from "../../platform/machine/mounted_driver.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";
import type { WorldPlan } from "../../models/world/world_plan.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";

/** Where values are, and how many bits they have. */
export interface PlannedDevice {
  /** Whether frames are made in ordinary memory. */
  readonly isCpu: boolean;
  readonly precision: Precision;
  /** Bits of the weights of products. */
  readonly weights: Precision;
}

/** What this machine has, as far as that is known without opening anything. */
export interface MachineDevices {
  readonly webgpu: boolean;
  readonly cuda: boolean;
}

/** Providers of ONNX Runtime, whose values have 32 bits. */
const PROVIDERS = /^(?:cuda|tensorrt|coreml|dml)\b/;

const CPU: PlannedDevice = { isCpu: true, precision: "f32", weights: "f32" };
const PROVIDER: PlannedDevice = { isCpu: false, precision: "f32", weights: "f16" };
const WIDE_PROVIDER: PlannedDevice = { isCpu: false, precision: "f32", weights: "f32" };
const WEBGPU: PlannedDevice = { isCpu: false, precision: "f16", weights: "f16" };

/**
 * The device of this name: a choice such as `webgpu`, or the label of one that is open, such as `cuda (ONNX Runtime)`.
 * `auto` is the one that takes the least memory of those that may be opened; once a model runs, it names itself.
 */
export function plannedDevice(device: string, machine: () => MachineDevices = thisMachine): PlannedDevice {
  if (device.startsWith("cpu")) return CPU;
  // The label of a provider that is open says so when its products have 16 bits; one that is asked for tries to.
  if (/^coreml\b|^\w+ \(ONNX Runtime\)$/.test(device)) return WIDE_PROVIDER;
  if (device !== "auto") return PROVIDERS.test(device) ? PROVIDER : WEBGPU;
  const { webgpu, cuda } = machine();
  return webgpu ? WEBGPU : cuda ? PROVIDER : CPU;
}

function thisMachine(): MachineDevices {
  return { webgpu: vulkanDrivers() === "gpu", cuda: hasCudaProvider() };
}

/** The plan of a world on the GPU that this is. */
export async function planOnGpu(
  world: DescribedWorld,
  size: PlannedSize,
  { precision, weights }: Omit<PlannedDevice, "isCpu">,
): Promise<WorldPlan> {
  const plan = await world.gpu(size, precision);
  if (weights === precision) return plan;
  const { weightBytes } = await world.gpu(size, weights);
  return { ...plan, weightBytes, totalBytes: plan.totalBytes - total(plan.weightBytes) + total(weightBytes) };
}

function total(bytes: Readonly<Record<string, number>>): number {
  return Object.values(bytes).reduce((a, b) => a + b, 0);
}
