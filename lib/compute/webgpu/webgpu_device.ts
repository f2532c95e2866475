/**
 * Opens WebGPU and runs graphs on it.
 *
 * @module
 */
import type { Device, DeviceTensor, Precision, Program } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { adapterName, chooseAdapter, type GpuSource, gpuSources, isSoftware, listAdapters } from "./adapters.ts";
import { GpuContext, type GpuLimits } from "./gpu_context.ts";
import { computesTiles, lacksMatrices, MATRIX_FEATURE, matrixTiles, type TileKind } from "./matrix_tiles.ts";
import { Pace } from "./pace.ts";
import { estimateProgram } from "./plan_program.ts";
import { SharedConstants, SharedScratch } from "./shared_buffers.ts";
import { compileProgram } from "./webgpu_program.ts";
import { uploadTensor } from "./webgpu_tensor.ts";

/** Options of {@linkcode openWebGpuDevice}. */
export interface WebGpuDeviceOptions {
  /**
   * The adapter to use where there are several: a part of its name in any case, or its number as `svc doctor` lists
   * them, from 1. One that computes on the CPU is accepted when it is named. By default the fastest kind: a discrete GPU
   * before an integrated one.
   */
  readonly adapter?: string | undefined;
  /** Accepts an adapter that computes on the CPU, for tests; false by default. */
  readonly allowSoftware?: boolean;
  /** `f16` by default if the device supports it, else `f32`. */
  readonly precision?: Precision;
}

/** Options for graphs of our own. */
export interface OwnGraphsOptions extends WebGpuDeviceOptions {
  /**
   * Has no indices checked and no workgroup memory zeroed while kernels run, where WebGPU comes from Dawn. Compiling
   * then proves of every step that it stays within its memory, and throws where it cannot. False by default.
   */
  readonly unchecked?: boolean;
}

/** A device, or why there is none and the remedy. */
export type WebGpuOpening =
  | { readonly ok: true; readonly device: Device }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** Opens the best GPU of this machine, as the entry point `./compute` describes it. */
export async function openWebGpuDevice(options: OwnGraphsOptions = {}): Promise<WebGpuOpening> {
  if (options.adapter !== undefined) return await openChosen(options.adapter, options);
  const sources = await gpuSources(options.unchecked);
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

/** Opens the adapter that is named. */
async function openChosen(wanted: string, options: OwnGraphsOptions): Promise<WebGpuOpening> {
  const chosen = chooseAdapter(wanted, await listAdapters(options.unchecked));
  if ("adapter" in chosen) return await openSource(chosen.adapter.source, { ...options, allowSoftware: true });
  return { ok: false, reason: chosen.reason, remedy: 'choose one that "svc doctor" lists' };
}

/** Opens the adapter of one source. */
export async function openSource(source: GpuSource, options: WebGpuDeviceOptions = {}): Promise<WebGpuOpening> {
  const { allowSoftware = false } = options;
  const refuse = (reason: string, remedy: string): WebGpuOpening => ({ ok: false, reason, remedy });
  try {
    const adapter = await requestAdapter(source);
    if (!adapter) return refuse("no adapter was found", "install a driver for the GPU");
    const name = await adapterName(adapter, source);
    if (isSoftware(adapter) && !allowSoftware) {
      return refuse(`${name} computes on the CPU`, "use the cpu device, which is faster");
    }
    const hasHalf = adapter.features.has("shader-f16");
    const { precision = hasHalf ? "f16" : "f32" } = options;
    if (precision === "f16" && !hasHalf) {
      return refuse(`${name} does not compute with 16-bit floats (shader-f16)`, "use precision f32");
    }
    const labelled = (tiles: DeviceTiles) => `${name} (${sourceNames[source.name]}, ${precision}, ${tiles.kind})`;
    const tile = matrixTiles(adapter, precision);
    const half: GPUFeatureName[] = hasHalf ? ["shader-f16"] : [];
    let reason = tile ? "" : lacksMatrices(adapter, precision);
    if (tile) {
      const tiles = { kind: tile === "MATRIX16" ? "16x16 matrices" : "8x8 matrices" } as const;
      const features = [...half, "subgroups", MATRIX_FEATURE] as GPUFeatureName[];
      const opened = await openMatrices(source, features, { tile, label: labelled(tiles), precision, tiles });
      if ("device" in opened) return { ok: true, device: opened.device };
      reason = opened.reason;
    }
    const gpu = await adapter.requestDevice({
      requiredFeatures: half,
      requiredLimits: highestLimits(adapter.limits),
    });
    const tiles = { kind: "portable tiles", reason } as const;
    const limits = { ...limitsOf(gpu), unchecked: source.unchecked };
    return { ok: true, device: createWebGpuDevice(gpu, labelled(tiles), precision, limits, new Pace(), tiles) };
  } catch (error) {
    return refuse(messageOf(error), "check the driver of the GPU");
  }
}

type DeviceTiles = NonNullable<Device["tiles"]>;

/** The sources in labels. */
const sourceNames = { "dawn": "Dawn", "navigator.gpu": "navigator.gpu" } as const;

function requestAdapter({ gpu, powerPreference = "high-performance" }: GpuSource): Promise<GPUAdapter | null> {
  return gpu.requestAdapter({ powerPreference });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface MatrixDevice {
  readonly tile: TileKind;
  readonly label: string;
  readonly precision: Precision;
  readonly tiles: DeviceTiles;
}

/**
 * A device whose products use subgroup matrices, or why it has none: they are an experiment of Dawn, so it has to compute
 * with them rightly. The portable kernels remain.
 */
async function openMatrices(
  source: GpuSource,
  requiredFeatures: GPUFeatureName[],
  { tile, label, precision, tiles }: MatrixDevice,
): Promise<{ readonly device: Device } | { readonly reason: string }> {
  try {
    // An adapter gives out one device only.
    const adapter = await requestAdapter(source);
    if (!adapter) return { reason: "the adapter gives no second device" };
    const opened = await adapter.requestDevice({ requiredFeatures, requiredLimits: highestLimits(adapter.limits) });
    const limits = { ...limitsOf(opened), tile, unchecked: source.unchecked };
    const device = createWebGpuDevice(opened, label, precision, limits, new Pace(), tiles);
    const reason = await computesTiles(device);
    if (reason === undefined) return { device };
    device.dispose();
    return { reason };
  } catch (error) {
    return { reason: messageOf(error) };
  }
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
  tiles?: Device["tiles"],
): Device {
  return new WebGpuDevice(new GpuContext(gpu, precision, limits, pace), label, tiles);
}

class WebGpuDevice implements Device {
  readonly kind = "webgpu";
  readonly label: string;
  readonly precision: Precision;
  readonly tiles?: Device["tiles"];
  readonly lost: Promise<string>;
  readonly #context: GpuContext;
  readonly #constants: SharedConstants;
  readonly #scratch: SharedScratch;

  constructor(context: GpuContext, label: string, tiles: Device["tiles"]) {
    this.label = label;
    if (tiles) this.tiles = tiles;
    this.precision = context.precision;
    this.lost = context.lost;
    this.#context = context;
    this.#constants = new SharedConstants(context);
    this.#scratch = new SharedScratch(context.memory);
  }

  compile(graph: Graph): Promise<Program> {
    return compileProgram({ context: this.#context, constants: this.#constants, scratch: this.#scratch }, graph);
  }

  estimate(graph: Graph): { readonly time: number; readonly scratchBytes: number } {
    return estimateProgram(graph, this.precision, this.#context.limits);
  }

  upload(t: Tensor): DeviceTensor {
    return uploadTensor(this.#context, t);
  }

  async idle(): Promise<void> {
    await this.#context.idle();
  }

  memory(): { readonly allocated: number; readonly peak: number } {
    const { allocated, peak } = this.#context.memory;
    return { allocated, peak };
  }

  dispose(): void {
    this.#context.dispose();
  }
}
