/**
 * Devices of engines: which one a library is to use, and the first that works.
 *
 * @module
 */
import type { TriedDevice } from "../contract/engine_settings.ts";

/** The devices of ONNX Runtime and of llama.cpp besides the CPU, best first. */
export const ACCELERATORS = {
  onnx: ["cuda", "webgpu", "dml", "coreml"],
  llama: ["cuda", "metal", "vulkan"],
} as const;

/** A library that runs models. */
type DeviceLibrary = keyof typeof ACCELERATORS;

/**
 * The device that a library is to use where one is named for all models: a name that only the other library has
 * leaves the choice to this one, so that `webgpu` for ONNX models does not stop GGUF models.
 */
export function deviceFor(library: DeviceLibrary, device: string | undefined): string {
  if (device === undefined) return "auto";
  const others: readonly string[] = ACCELERATORS[library === "onnx" ? "llama" : "onnx"];
  const own: readonly string[] = ACCELERATORS[library];
  return others.includes(device) && !own.includes(device) ? "auto" : device;
}

/** What came of it. */
interface Working<T> {
  readonly value: T;
  /** Better devices, and why they failed. */
  readonly tried: readonly TriedDevice[];
}

/**
 * Does work on the first device on which it succeeds: drivers may open a model, and fail in its first run.
 *
 * @param devices At least one, best first.
 * @throws what the only device throws; of several, an error that says of each why it failed.
 */
export async function firstThatWorks<T>(
  devices: readonly string[],
  work: (device: string) => Promise<T>,
): Promise<Working<T>> {
  const tried: TriedDevice[] = [];
  for (const device of devices) {
    try {
      return { value: await work(device), tried };
    } catch (cause) {
      if (devices.length === 1) throw cause;
      tried.push({ device, reason: cause instanceof Error ? cause.message : String(cause) });
      if (tried.length < devices.length) continue;
      const why = tried.map(({ device, reason }) => `${device}: ${reason}`).join("; ");
      throw new Error(`Cannot open the model: no device can run it (${why}), check its files`, { cause });
    }
  }
  throw new RangeError("Cannot try devices: there are none, expected at least one");
}
