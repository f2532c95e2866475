/**
 * Sources of WebGPU: Dawn through the optional npm package `webgpu`, or the platform's own `navigator.gpu`.
 *
 * @module
 */

/** A source of adapters. */
export interface GpuSource {
  readonly name: "dawn" | "navigator.gpu";
  readonly gpu: GPU;
}

/** Dawn's root object must stay reachable: devices crash the process once it is collected. */
let dawn: GPU | undefined;

/**
 * Dawn hides 16-bit floats from older NVIDIA drivers unless asked; the memory model extension makes its workgroup
 * memory correct there.
 */
const dawnFlags = ["enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia,use_vulkan_memory_model"];

/** The sources that this process has, best first. */
export async function gpuSources(): Promise<GpuSource[]> {
  const sources: GpuSource[] = [];
  const gpu = dawn ?? await openDawn();
  if (gpu) sources.push({ name: "dawn", gpu });
  if (globalThis.navigator?.gpu) sources.push({ name: "navigator.gpu", gpu: globalThis.navigator.gpu });
  return sources;
}

async function openDawn(): Promise<GPU | undefined> {
  try {
    const { create } = await import("webgpu");
    dawn ??= create(dawnFlags);
    return dawn;
  } catch {
    return undefined; // the optional package is not installed, or has no build for this platform
  }
}

/** Whether an adapter computes on the CPU: it is slower there than ONNX Runtime by a factor of ten or more. */
export function isSoftware({ info }: GPUAdapter): boolean {
  const names = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return info.isFallbackAdapter || /llvmpipe|lavapipe|swiftshader|software|basic render/i.test(names);
}

/** The display name of an adapter. */
export function adapterLabel({ info }: GPUAdapter, source: GpuSource): string {
  return `${info.description || info.device || info.architecture || info.vendor || "GPU"} (${source.name})`;
}
