/**
 * A software device whose products are computed as on a GPU with matrix units, by loops in the place of its builtins.
 *
 * @module
 */
import type { Device, Precision } from "../../lib/compute/tensor/mod.ts";
import type { GpuLimits } from "../../lib/compute/webgpu/gpu_context.ts";
import { PROCESSORS } from "../../lib/compute/webgpu/lowering/choose_tiles.ts";
import type { TileKind } from "../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../lib/compute/webgpu/webgpu_device.ts";
import { testSource } from "./webgpu_device.ts";

/** Bytes of workgroup memory: tiles of 128 with two buffers where operands have 16 bits or fragments are small, else one. */
const WORKGROUP_BYTES = 24576;

/** A device with emulated fragments, and its limits, in which a case sets the number of processors. */
export interface Emulated {
  readonly device: Device;
  readonly precision: Precision;
  readonly limits: { -readonly [K in keyof GpuLimits]: GpuLimits[K] };
}

/** Opens the adapter under test so; undefined where it lacks what that takes. */
export async function openEmulated(tile: TileKind, precision: Precision): Promise<Emulated | undefined> {
  const source = await testSource();
  const adapter = await source?.gpu.requestAdapter();
  if (!adapter || adapter.limits.maxComputeWorkgroupStorageSize < WORKGROUP_BYTES) return undefined;
  if (precision === "f16" && !adapter.features.has("shader-f16")) return undefined;
  const gpu = await adapter.requestDevice({
    requiredFeatures: precision === "f16" ? ["shader-f16"] : [],
    requiredLimits: { maxComputeWorkgroupStorageSize: WORKGROUP_BYTES },
  });
  const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension } = gpu.limits;
  const { minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment } = gpu.limits;
  const limits = {
    ...{ maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension },
    ...{ minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment, tile },
    maxComputeWorkgroupStorageSize: WORKGROUP_BYTES,
    processors: PROCESSORS,
    unchecked: true, // every program is proved
  };
  return { device: createWebGpuDevice(gpu, tile, precision, limits), precision, limits };
}
