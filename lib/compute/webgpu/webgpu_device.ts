/**
 * Opens WebGPU and runs graphs on it.
 *
 * @module
 */
import type { Device, DeviceTensor, Precision, Program } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { adapterLabel, type GpuSource, gpuSources, isSoftware } from "./adapters.ts";
import { GpuContext, type GpuLimits } from "./gpu_context.ts";
import { computesTiles, MATRIX_FEATURE, matrixTiles, type TileKind } from "./matrix_tiles.ts";
import { Pace } from "./pace.ts";
import { SharedConstants } from "./shared_constants.ts";
import { SharedScratch } from "./shared_scratch.ts";
import { compileProgram } from "./webgpu_program.ts";
import { uploadTensor } from "./webgpu_tensor.ts";

/** Options of {@linkcode openWebGpuDevice}. */
export interface WebGpuDeviceOptions {
  /** Accepts an adapter that computes on the CPU, for tests; false by default. */
  readonly allowSoftware?: boolean;
  /** `f16` by default if the device supports it, else `f32`. */
  readonly precision?: Precision;
}

/** A device, or why there is none and the remedy. */
export type WebGpuOpening =
  | { readonly ok: true; readonly device: Device }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** Opens the best GPU of this machine, as the entry point `./compute` describes it. */
export async function openWebGpuDevice(options: WebGpuDeviceOptions = {}): Promise<WebGpuOpening> {
  const sources = await gpuSources();
  if (sources.length === 0) {
    return {
      ok: false,
      reason: "this process has no WebGPU",
      remedy: "install the npm package webgpu, or use the cpu device",
    };
  }
  const reasons: string[] = [];
  for (const source of sources) {
    const opening = await openSource(source, options);
    if (opening.ok) return opening;
    reasons.push(`${source.name}: ${opening.reason}`);
  }
  return { ok: false, reason: reasons.join("; "), remedy: "install a driver for the GPU, or use the cpu device" };
}

/** Opens the adapter of one source. */
export async function openSource(source: GpuSource, options: WebGpuDeviceOptions = {}): Promise<WebGpuOpening> {
  const { allowSoftware = false } = options;
  const refuse = (reason: string, remedy: string): WebGpuOpening => ({ ok: false, reason, remedy });
  try {
    const adapter = await source.gpu.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) return refuse("no adapter was found", "install a driver for the GPU");
    const label = adapterLabel(adapter, source);
    if (isSoftware(adapter) && !allowSoftware) {
      return refuse(`${label} computes on the CPU`, "use the cpu device, which is faster");
    }
    const hasHalf = adapter.features.has("shader-f16");
    const { precision = hasHalf ? "f16" : "f32" } = options;
    if (precision === "f16" && !hasHalf) {
      return refuse(`${label} does not compute with 16-bit floats (shader-f16)`, "use precision f32");
    }
    const tile = matrixTiles(adapter, precision);
    const half: GPUFeatureName[] = hasHalf ? ["shader-f16"] : [];
    if (tile) {
      const device = await openMatrices(source, [...half, "subgroups", MATRIX_FEATURE], tile, label, precision);
      if (device) return { ok: true, device };
    }
    const gpu = await adapter.requestDevice({
      requiredFeatures: half,
      requiredLimits: highestLimits(adapter.limits),
    });
    return { ok: true, device: createWebGpuDevice(gpu, label, precision) };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), "check the driver of the GPU");
  }
}

/** A device whose products use subgroup matrices, if it computes them rightly: they are an experiment of Dawn. */
async function openMatrices(
  { gpu }: GpuSource,
  requiredFeatures: GPUFeatureName[],
  tile: TileKind,
  label: string,
  precision: Precision,
): Promise<Device | undefined> {
  try {
    // An adapter gives out one device only.
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    const opened = await adapter?.requestDevice({ requiredFeatures, requiredLimits: highestLimits(adapter.limits) });
    if (!opened) return undefined;
    const device = createWebGpuDevice(opened, label, precision, { ...limitsOf(opened), tile });
    if (await computesTiles(device)) return device;
    device.dispose();
  } catch {
    // The portable kernels remain.
  }
  return undefined;
}

/** The limits of a device as an object of its own. */
function limitsOf({ limits }: GPUDevice): GpuLimits {
  return {
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
    maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    minStorageBufferOffsetAlignment: limits.minStorageBufferOffsetAlignment,
    minUniformBufferOffsetAlignment: limits.minUniformBufferOffsetAlignment,
  };
}

/** Limits that kernels and weights benefit from; devices have the smallest allowed ones by default. */
function highestLimits(limits: GPUSupportedLimits): Record<string, number> {
  const names = [
    "maxBufferSize",
    "maxStorageBufferBindingSize",
    "maxStorageBuffersPerShaderStage",
    "maxComputeWorkgroupStorageSize",
    "minStorageBufferOffsetAlignment",
    "minUniformBufferOffsetAlignment",
  ] as const;
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}

/** Wraps an open GPU device and takes ownership of it. */
export function createWebGpuDevice(
  gpu: GPUDevice,
  label: string,
  precision: Precision,
  limits: GpuLimits = gpu.limits,
  pace: Pace = new Pace(),
): Device {
  return new WebGpuDevice(new GpuContext(gpu, precision, limits, pace), label);
}

class WebGpuDevice implements Device {
  readonly kind = "webgpu";
  readonly label: string;
  readonly precision: Precision;
  readonly lost: Promise<string>;
  readonly #context: GpuContext;
  readonly #constants: SharedConstants;
  readonly #scratch: SharedScratch;

  constructor(context: GpuContext, label: string) {
    this.label = label;
    this.precision = context.precision;
    this.lost = context.lost;
    this.#context = context;
    this.#constants = new SharedConstants(context);
    this.#scratch = new SharedScratch(context.memory);
  }

  compile(graph: Graph): Promise<Program> {
    return compileProgram({ context: this.#context, constants: this.#constants, scratch: this.#scratch }, graph);
  }

  upload(t: Tensor): DeviceTensor {
    return uploadTensor(this.#context, t);
  }

  memory(): { readonly allocated: number; readonly peak: number } {
    const { allocated, peak } = this.#context.memory;
    return { allocated, peak };
  }

  dispose(): void {
    this.#context.dispose();
  }
}
