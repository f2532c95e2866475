/**
 * Devices of each library.
 *
 * @module
 */

/** Those of ONNX Runtime and of llama.cpp, besides the CPU. */
const devices = {
  onnx: ["cuda", "webgpu", "dml", "coreml"],
  llama: ["cuda", "metal", "vulkan"],
} as const;

/** A library that runs models. */
export type DeviceLibrary = keyof typeof devices;

/**
 * The device that a library is to use where one is named for all models: a name that only the other library knows
 * leaves the choice to this one, so that `webgpu` for ONNX models does not stop GGUF models.
 */
export function deviceFor(library: DeviceLibrary, device: string | undefined): string {
  if (device === undefined) return "auto";
  const others: readonly string[] = devices[library === "onnx" ? "llama" : "onnx"];
  const own: readonly string[] = devices[library];
  return others.includes(device) && !own.includes(device) ? "auto" : device;
}
