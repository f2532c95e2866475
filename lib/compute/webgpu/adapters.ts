/**
 * Sources of WebGPU: Dawn through the optional npm package `webgpu`, with its switches, or the platform's own
 * `navigator.gpu`.
 *
 * @module
 */

/** A source of adapters. */
export interface GpuSource {
  readonly name: "dawn" | "navigator.gpu";
  readonly gpu: GPU;
  /** The preference that gets the wanted adapter; high performance by default, for which discrete GPUs come first. */
  readonly powerPreference?: GPUPowerPreference;
  /** Name of the adapter that it gives, if it is known. */
  readonly adapter?: string;
  /** Whether its devices run kernels as they are: every step of a program has to be proved to stay in its memory. */
  readonly unchecked?: boolean | undefined;
}

/** An adapter of this machine. */
export interface ListedAdapter {
  /** Name that its driver gives the GPU. */
  readonly name: string;
  /** All that its names contain, its vendor among them. */
  readonly words: string;
  /** Whether it computes on the CPU. */
  readonly software: boolean;
  /** GPUs of this very name. */
  readonly count: number;
  /** The name that Dawn finds before this one, which is a part of it. */
  readonly hiddenBy?: string;
  readonly source: GpuSource;
}

/** Dawn's root objects must stay reachable: devices crash the process once they are collected. */
const roots = new Map<string, GPU>();

/** The name of no GPU: Dawn answers with the names of all. */
const NO_NAME = "\u0001";

/**
 * The sources that this process has, best first. Each gives the adapter that is used where none is named.
 *
 * @param unchecked Without checks of indices and zeroed workgroup memory, where a source can go without: Dawn has
 * switches for a whole root object, browsers and Deno have none.
 */
export async function gpuSources(unchecked: boolean = false): Promise<GpuSource[]> {
  const sources: GpuSource[] = [];
  const gpu = await openDawn({ unchecked });
  if (gpu) sources.push({ name: "dawn", gpu, unchecked });
  if (globalThis.navigator?.gpu) sources.push({ name: "navigator.gpu", gpu: globalThis.navigator.gpu });
  return sources;
}

/**
 * The adapters of the first source that has any, the one that is used by default first: Dawn lists discrete GPUs before
 * integrated ones, and those before software; `navigator.gpu` gives two at most, by their power.
 */
export async function listAdapters(unchecked: boolean = false): Promise<ListedAdapter[]> {
  for (const source of await gpuSources(unchecked)) {
    const listed = source.name === "dawn" ? await listDawn(unchecked) : await listByPower(source);
    if (listed.length > 0) return listed;
  }
  return [];
}

async function openDawn(
  { adapter, unchecked = false }: { readonly adapter?: string; readonly unchecked?: boolean },
): Promise<GPU | undefined> {
  const key = `${unchecked} ${adapter ?? ""}`;
  try {
    const { create } = await import("webgpu");
    const { environmentVariable } = await import("../../platform/processes/runtime.ts");
    const flags = dawnFlags(environmentVariable, unchecked);
    const gpu = roots.get(key) ?? create(adapter === undefined ? flags : [...flags, `adapter=${adapter}`]);
    roots.set(key, gpu);
    return gpu;
  } catch {
    return undefined; // the optional package is not installed, or has no build for this platform
  }
}

/** The names of Dawn's adapters, which appear in the refusal of one that it does not have. */
async function dawnNames(): Promise<string[]> {
  try {
    await (await openDawn({ adapter: NO_NAME }))?.requestAdapter({ powerPreference: "high-performance" });
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [...message.matchAll(/^ \* backend: '[^']*', name: '(.*)'$/gm)].map((match) => match[1]);
  }
}

async function listDawn(unchecked: boolean): Promise<ListedAdapter[]> {
  const names = await dawnNames();
  const listed: ListedAdapter[] = [];
  for (const name of new Set(names)) {
    const gpu = await openDawn({ adapter: name, unchecked });
    const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" });
    if (!gpu || !adapter) continue;
    const source = { name: "dawn", gpu, adapter: name, unchecked } as const;
    const count = names.filter((other) => other === name).length;
    // Dawn takes the first whose name contains the one that it is given.
    const first = names.find((other) => other.includes(name))!;
    const hidden = first === name ? {} : { hiddenBy: first };
    const words = first === name ? `${name} ${wordsOf(adapter)}` : name;
    listed.push({ name, words, software: SOFTWARE.test(words), count, source, ...hidden });
  }
  return listed;
}

async function listByPower({ name: source, gpu }: GpuSource): Promise<ListedAdapter[]> {
  const listed: ListedAdapter[] = [];
  for (const powerPreference of ["high-performance", "low-power"] as const) {
    const adapter = await gpu.requestAdapter({ powerPreference });
    const words = adapter && wordsOf(adapter);
    if (!words || listed.some((other) => other.words === words)) continue;
    const name = nameOf(adapter);
    listed.push({
      ...{ name, words, software: isSoftware(adapter), count: 1 },
      source: { name: source, gpu, powerPreference, adapter: name },
    });
  }
  return listed;
}

/**
 * The adapter that a number or a part of a name means, in any case, or why there is none such. A number counts from one
 * as adapters are listed; a whole name goes before parts of names, and those before the words of
 * vendor and driver.
 */
export function chooseAdapter(
  wanted: string,
  listed: readonly ListedAdapter[],
): { readonly adapter: ListedAdapter } | { readonly reason: string } {
  if (listed.length === 0) return { reason: "WebGPU finds no adapter on this machine" };
  const text = wanted.trim().toLowerCase();
  const numbered = /^\d+$/.test(text) ? listed.slice(Math.max(Number(text) - 1, 0), Number(text)) : [];
  const whole = listed.filter(({ name }) => name.toLowerCase() === text);
  const inName = listed.filter(({ name }) => text !== "" && name.toLowerCase().includes(text));
  const inWords = listed.filter(({ words }) => text !== "" && words.toLowerCase().includes(text));
  const found = [numbered, whole, inName, inWords].find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (found.length === 1 && only.hiddenBy !== undefined) {
    return { reason: `Dawn gives "${only.hiddenBy}" for "${only.name}", hide it from the driver to use the other` };
  }
  if (found.length === 1) return { adapter: only };
  const what = found.length === 0 ? "no adapter is" : `${found.length} adapters are`;
  const few = listed[0].source.name === "dawn" ? "" : "; navigator.gpu shows two at most, the npm package webgpu all";
  return {
    reason: `${what} "${wanted}", expected a number or a part of one name of ${describeAdapters(listed)}${few}`,
  };
}

/** All adapters in one line, with the numbers by which they can be chosen. */
export function describeAdapters(listed: readonly ListedAdapter[]): string {
  return listed.map(({ name, software, count }, i) => {
    const notes = [
      ...software ? ["computes on the CPU"] : [],
      ...count > 1 ? [`${count} of this name, of which Dawn gives the first`] : [],
    ];
    return `${i + 1} ${name}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
  }).join(", ");
}

function wordsOf({ info }: GPUAdapter): string {
  return `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
}

const SOFTWARE = /llvmpipe|lavapipe|swiftshader|software|basic render/i;

/** Whether an adapter computes on the CPU: it is slower there than ONNX Runtime by a factor of ten or more. */
export function isSoftware(adapter: GPUAdapter): boolean {
  return adapter.info.isFallbackAdapter || SOFTWARE.test(wordsOf(adapter));
}

function nameOf({ info }: GPUAdapter): string {
  return info.description || info.device || info.architecture || info.vendor || "GPU";
}

/** The name of the adapter that a source has given: that of its driver, where Dawn lists it. */
export async function adapterName(adapter: GPUAdapter, source: GpuSource): Promise<string> {
  if (source.adapter !== undefined) return source.adapter;
  const names = source.name === "dawn" ? await dawnNames() : [];
  return names[0] ?? nameOf(adapter);
}

/**
 * What our kernels need: subgroup matrices are an experiment; Dawn hides 16-bit floats from older NVIDIA drivers unless
 * asked, and the memory model extension makes its workgroup memory correct there.
 */
const DAWN_FEATURES = ["allow_unsafe_apis", "vulkan_enable_f16_on_nvidia", "use_vulkan_memory_model"] as const;

/** What Dawn adds to kernels: a check of each index, and zeros in their workgroup memory. */
const CHECKS = ["disable_robustness", "disable_workgroup_init"] as const;

/**
 * The flags for `create()` of the package. `SVC_DAWN_ENABLE` and `SVC_DAWN_DISABLE` are lists of more toggles, with
 * comma-separated; one that is disabled is not enabled, not even by us.
 *
 * @param environment Variables of the process.
 * @param unchecked Without checks of indices and zeroed workgroup memory.
 */
export function dawnFlags(environment: (name: string) => string | undefined, unchecked: boolean = false): string[] {
  const [enabled, disabled] = ["SVC_DAWN_ENABLE", "SVC_DAWN_DISABLE"].map((name) =>
    (environment(name) ?? "").split(",").map((toggle) => toggle.trim()).filter((toggle) => toggle !== "")
  );
  const features = [...new Set([...DAWN_FEATURES, ...unchecked ? CHECKS : [], ...enabled])].filter((toggle) =>
    !disabled.includes(toggle)
  );
  return [
    ...features.length > 0 ? [`enable-dawn-features=${features.join(",")}`] : [],
    ...disabled.length > 0 ? [`disable-dawn-features=${disabled.join(",")}`] : [],
  ];
}
