/**
 * Opens the GPU as a server opens it, and keeps what Dawn returned: the adapter, the raw device, its timestamps.
 *
 * @module
 */
import type { Device, Precision } from "../../../lib/compute/tensor/mod.ts";
import { type GpuSource, gpuSources } from "../../../lib/compute/webgpu/adapters.ts";
import { MATRIX_FEATURE } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { openSource } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { NoAdapter, SMALL } from "./part.ts";

/** What products are computed with. */
export type Tiles = NonNullable<Device["tiles"]>;

/** An open device. */
export interface OpenGpu {
  readonly device: Device;
  readonly gpu: GPUDevice;
  readonly tiles: Tiles["kind"];
}

/** Without Dawn's checks of indices and its zeroed workgroup memory, as engines open a GPU (`open_device.ts`). */
const UNCHECKED = true;

/** How it is opened. */
export interface OpenGpuOptions {
  readonly precision: Precision;
  /** Hides the subgroup matrices, to compare with what cards without them do. */
  readonly portable?: boolean;
  /** Leaves Dawn's checks on, to measure what they cost. */
  readonly checked?: boolean;
  /** Whether dispatches can be timed, where the adapter can. */
  readonly timestamps?: boolean;
}

/** The first source that has an adapter, Dawn before others. */
async function gpuSource(checked: boolean = false): Promise<GpuSource> {
  const sources = await gpuSources(UNCHECKED && !checked);
  for (const source of sources) {
    if (await source.gpu.requestAdapter({ powerPreference: "high-performance" })) return source;
  }
  throw new NoAdapter(sources.length === 0 ? "this process has no WebGPU" : "no adapter was found");
}

/** The adapter that the project would take. */
export async function gpuAdapter(): Promise<GPUAdapter> {
  const { gpu } = await gpuSource();
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new NoAdapter("no adapter was found");
  return adapter;
}

/** Opens a device, or says why there is none. */
export async function openGpu(options: OpenGpuOptions): Promise<OpenGpu | string> {
  const source = await gpuSource(options.checked);
  const { gpu } = source;
  const opened: GPUDevice[] = [];
  const watched = {
    requestAdapter: async (wanted?: GPURequestAdapterOptions) => {
      const adapter = await gpu.requestAdapter(wanted);
      return adapter && watch(adapter, options, opened);
    },
  } as GPU;
  const { precision } = options;
  const opening = await openSource({ ...source, gpu: watched }, { allowSoftware: SMALL, precision });
  if (!opening.ok) return opening.reason;
  const raw = opened.at(-1)!; // an earlier one was refused
  return { device: opening.device, gpu: raw, tiles: opening.device.tiles!.kind };
}

/** Opens a device with 16-bit floats, or with 32-bit ones where the adapter has no others. */
export async function openBest(options: Omit<OpenGpuOptions, "precision"> = {}): Promise<OpenGpu> {
  const half = await openGpu({ ...options, precision: "f16" });
  if (typeof half !== "string") return half;
  const single = await openGpu({ ...options, precision: "f32" });
  if (typeof single !== "string") return single;
  throw new NoAdapter(single);
}

/** Whether products are computed by subgroup matrices (tensor cores). */
export function hasMatrices(tiles: Tiles["kind"]): boolean {
  return tiles !== "portable tiles";
}

/** An adapter that notes its devices, without the features that are hidden and with those that are added. */
function watch(adapter: GPUAdapter, { portable, timestamps }: OpenGpuOptions, opened: GPUDevice[]): GPUAdapter {
  const original = adapter.requestDevice.bind(adapter);
  const stamps: GPUFeatureName[] = timestamps && adapter.features.has("timestamp-query") ? ["timestamp-query"] : [];
  const requestDevice = async (wanted: GPUDeviceDescriptor = {}) => {
    const device = await original({ ...wanted, requiredFeatures: [...wanted.requiredFeatures ?? [], ...stamps] });
    opened.push(device);
    return device;
  };
  Object.defineProperty(adapter, "requestDevice", { value: requestDevice });
  if (portable) {
    const features = new Set([...adapter.features].filter((feature) => feature !== MATRIX_FEATURE));
    Object.defineProperty(adapter, "features", { value: features });
  }
  return adapter;
}
