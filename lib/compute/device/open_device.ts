/**
 * Chooses the device of models.
 *
 * @module
 */
import { modelUnavailable } from "../../errors/svc_error.ts";
import { cpuThreads } from "../../platform/machine/machine_state.ts";
import { hasCudaProvider, offerMountedDriver, unreachableLibraries } from "../../platform/machine/mounted_driver.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";
import { optionError } from "../../errors/option_error.ts";
import type { Device, Precision } from "../tensor/mod.ts";
import type { WebGpuOpening } from "../webgpu/webgpu_device.ts";
import { probeDevice } from "./probe_device.ts";

/** `auto` is the fastest GPU that computes correctly if there is one, else the CPU. */
export type DeviceChoice = "auto" | "cpu" | "webgpu" | "cuda" | "tensorrt" | "coreml" | "dml";

/** Whether a device is one that graphs of our own run on. */
export function isDeviceChoice(device: string): device is DeviceChoice {
  return ["auto", "cpu", "webgpu", "cuda", "tensorrt", "coreml", "dml"].includes(device);
}

/** Called for each device that was tried and rejected. */
export type DeviceFailed = (device: string, reason: string) => void;

/** What a choice of devices depends on. */
export interface OpenDeviceOptions {
  /** The GPU to use where there are several, as `openWebGpuDevice` takes it; it makes `auto` a GPU that has to work. */
  readonly adapter?: string | undefined;
  /** Called for each device that `auto` tried and rejected. */
  readonly failed?: DeviceFailed;
  /** Asked about each device that `auto` would use. */
  readonly lacksRoom?: LacksRoom | undefined;
}

/** Says why a device has no room for what it is opened for; undefined when it has. */
export type LacksRoom = (device: Device) => Promise<string | undefined>;

/** A device that works. */
export interface TriedDevice {
  readonly device: Device;
  /** Floating-point operations a second. */
  readonly speed: number;
}

/**
 * Opens a device. Its code is imported on demand. A GPU has to compute a few known results before it is used.
 *
 * @throws {SvcError} `model_device_unavailable` when a GPU was asked for and there is none that works.
 */
export async function openDevice(
  choice: DeviceChoice,
  threads?: number,
  { adapter, failed = () => {}, lacksRoom }: OpenDeviceOptions = {},
): Promise<Device> {
  if (choice === "cpu") return await openCpu(threads);
  if (choice !== "auto" || adapter !== undefined) {
    const opened = await open(choice === "auto" ? "webgpu" : choice, threads, adapter);
    if ("reason" in opened) {
      throw optionError(
        (name) => `Cannot open a GPU: ${opened.reason}; ${opened.remedy}, or use ${name("device")} cpu`,
        (message) => modelUnavailable("model_device_unavailable", message),
      );
    }
    return opened.device;
  }
  const working: TriedDevice[] = [];
  for (const candidate of candidates()) {
    const opened = await open(candidate, threads);
    if (!("reason" in opened)) working.push(opened);
    else if (opened.failed) failed(candidate, opened.reason);
  }
  return await fastestWithRoom(working, failed, lacksRoom) ?? await openCpu(threads);
}

/** The fastest of these devices that has room; the others are disposed. Undefined when none has. */
export async function fastestWithRoom(
  working: readonly TriedDevice[],
  failed: DeviceFailed,
  lacksRoom: LacksRoom = () => Promise.resolve(undefined),
): Promise<Device | undefined> {
  let chosen: Device | undefined;
  try {
    for (const { device } of [...working].sort((a, b) => b.speed - a.speed)) {
      const reason = await lacksRoom(device);
      if (reason === undefined) return chosen = device;
      failed(device.label, reason);
    }
    return undefined;
  } finally {
    for (const { device } of working) if (device !== chosen) device.dispose();
  }
}

/**
 * The GPU of this machine, or why there is none.
 *
 * @param adapter The one to use where there are several.
 */
export async function openGpu(adapter?: string): Promise<WebGpuOpening> {
  offerMountedDriver();
  if (vulkanDrivers() === "none") {
    return { ok: false, reason: "no Vulkan driver is installed", remedy: "install the GPU's driver" };
  }
  const { openWebGpuDevice } = await import("../webgpu/webgpu_device.ts");
  const opening = await openWebGpuDevice({ adapter, unchecked: true }); // programs of our own, which are proved
  const libraries = opening.ok ? undefined : unreachableLibraries();
  if (opening.ok || libraries === undefined) return opening;
  const remedy = `start svc with LD_LIBRARY_PATH=${libraries}, where the libraries of the GPU's driver are`;
  return { ok: false, reason: opening.reason, remedy };
}

/** How many kinds of GPUs this machine has, and their names in one line as `--adapter` takes them. */
export async function describeGpus(): Promise<{ readonly count: number; readonly names: string }> {
  const { describeAdapters, listAdapters } = await import("../webgpu/adapters.ts");
  const listed = await listAdapters();
  return { count: listed.length, names: describeAdapters(listed) };
}

/**
 * Checks the name of an adapter at once, which otherwise shows when the first model is opened.
 *
 * @throws {UsageError} with what there is when it means none or several, or the device is not a GPU through WebGPU.
 */
export async function checkAdapter(adapter: string | undefined, device = "auto"): Promise<void> {
  if (adapter === undefined) return;
  if (device !== "auto" && device !== "webgpu") {
    throw optionError((name) =>
      `Cannot use ${name("adapter")} with ${name("device")} ${device}: expected ${name("device")} webgpu, or auto`
    );
  }
  offerMountedDriver();
  const { chooseAdapter, listAdapters } = await import("../webgpu/adapters.ts");
  const chosen = chooseAdapter(adapter, await listAdapters());
  if ("reason" in chosen) throw optionError((name) => `Cannot use ${name("adapter")} ${adapter}: ${chosen.reason}`);
}

/** What `auto` tries: other providers have to be asked for. */
function candidates(): ("webgpu" | "cuda")[] {
  return hasCudaProvider() ? ["webgpu", "cuda"] : ["webgpu"];
}

async function openCpu(threads: number | undefined): Promise<Device> {
  const { openOnnxDevice } = await import("../onnx/onnx_device.ts");
  return await openOnnxDevice({ threads: threads ?? cpuThreads() });
}

/** What providers compute products in, what is tried first; CoreML's has no kernels for 16 bits in our graphs. */
const products = {
  cuda: ["f16", "f32"],
  tensorrt: ["f16", "f32"],
  dml: ["f16", "f32"],
  coreml: ["f32"],
} as const satisfies Record<string, readonly Precision[]>;

interface Unavailable {
  readonly reason: string;
  readonly remedy: string;
  /** Whether it is there and does not work. */
  readonly failed: boolean;
}

/** A device after its first run, or why it cannot be used. */
async function open(
  choice: Exclude<DeviceChoice, "auto" | "cpu">,
  threads: number | undefined,
  adapter?: string,
): Promise<TriedDevice | Unavailable> {
  if (choice === "webgpu") {
    return await firstRun(choice, async () => {
      const opened = await openGpu(adapter);
      return opened.ok ? opened.device : { ...opened, failed: false };
    });
  }
  const { openOnnxDevice } = await import("../onnx/onnx_device.ts");
  let last: TriedDevice | Unavailable | undefined;
  for (const precision of products[choice]) {
    const options = { threads: threads ?? cpuThreads(), provider: choice, products: precision };
    last = await firstRun(choice, () => openOnnxDevice(options));
    if ("device" in last) return last;
  }
  return last!;
}

async function firstRun(choice: string, open: () => Promise<Device | Unavailable>): Promise<TriedDevice | Unavailable> {
  let device: Device | undefined;
  try {
    const opened = await open();
    if ("reason" in opened) return opened;
    device = opened;
    return { device, speed: await probeDevice(device) };
  } catch (error) {
    device?.dispose();
    const reason = `${choice} does not work (${firstLine(error)})`;
    return { reason, remedy: 'run "svc doctor", which says what it needs', failed: true };
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0];
}
