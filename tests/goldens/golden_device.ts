/**
 * The device that goldens run on.
 *
 * @module
 */
import { openOnnxDevice } from "../../lib/onnx/mod.ts";
import type { Device } from "../../lib/tensor/mod.ts";

/** Opens ONNX Runtime on the CPU, or WebGPU on the software adapter. */
export async function openGoldenDevice(kind: "cpu" | "webgpu"): Promise<Device> {
  if (kind === "cpu") return await openOnnxDevice();
  throw new Error("later");
}
