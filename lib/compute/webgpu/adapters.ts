/**
 * Sources of WebGPU: Dawn through the optional npm package `webgpu`, or the platform's own `navigator.gpu`.
 *
 * @module
 */

/** A source of adapters. */
export interface GpuSource {
  readonly name: "dawn" | "navigator.gpu";
  readonly gpu: GPU;
  /** Whether its devices run kernels as they are: every step of a program has to be proved to stay in its memory. */
  readonly unchecked?: boolean | undefined;
}

/** Dawn's root objects must stay reachable: devices crash the process once theirs is collected. */
const dawn = new Map<boolean, GPU>();

/**
 * Dawn hides 16-bit floats from older NVIDIA drivers unless asked; the memory model extension makes its workgroup
 * memory correct there.
 */
const features = ["allow_unsafe_apis", "vulkan_enable_f16_on_nvidia", "use_vulkan_memory_model"];

/** What Dawn adds to kernels: a check of each index, and zeros in their workgroup memory. */
const checks = ["disable_robustness", "disable_workgroup_init"];

/**
 * The sources that this process has, best first.
 *
 * @param unchecked Without checks of indices and zeroed workgroup memory, where a source can go without: Dawn has
 * switches for a whole root object, browsers and Deno have none.
 */
export async function gpuSources(unchecked: boolean = false): Promise<GpuSource[]> {
  const sources: GpuSource[] = [];
  const gpu = dawn.get(unchecked) ?? await openDawn(unchecked);
  if (gpu) sources.push({ name: "dawn", gpu, unchecked });
  if (globalThis.navigator?.gpu) sources.push({ name: "navigator.gpu", gpu: globalThis.navigator.gpu });
  return sources;
}

async function openDawn(unchecked: boolean): Promise<GPU | undefined> {
  try {
    const { create } = await import("webgpu");
    const enabled = [...features, ...(unchecked ? checks : [])].join();
    if (!dawn.has(unchecked)) dawn.set(unchecked, create([`enable-dawn-features=${enabled}`]));
    return dawn.get(unchecked);
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
