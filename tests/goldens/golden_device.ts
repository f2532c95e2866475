/**
 * The device that goldens run on.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { lavapipeEnv, softwareAdapterEnv } from "../../scripts/software_adapter.mjs";
import { openOnnxDevice } from "../../lib/compute/onnx/onnx_device.ts";
import type { Device, Precision } from "../../lib/compute/tensor/mod.ts";

/** Says to a child that it has the environment of the software adapter already. */
export const ADAPTER_IS_SET = "SVC_GOLDENS_ADAPTER";

/** Which WebGPU goldens run on. */
export interface GoldenAdapter {
  /** One that computes on the CPU and is the same everywhere, or the machine's GPU. */
  readonly adapter: "software" | "gpu";
  /** How the device stores floats. */
  readonly precision: Precision;
}

/**
 * Opens ONNX Runtime on the CPU, or WebGPU. A software adapter (SwiftShader, and lavapipe for 16-bit floats) is found
 * through variables that a process must have when it starts, so for one this program runs itself once more and ends with
 * its exit code, unless {@linkcode ADAPTER_IS_SET} says that they are there.
 *
 * @throws when the machine has no such device, with the remedy.
 */
export async function openGoldenDevice(wanted: "cpu" | GoldenAdapter): Promise<Device> {
  if (wanted === "cpu") return await openOnnxDevice();
  const { adapter, precision } = wanted;
  const isSoftware = adapter === "software";
  if (isSoftware && !process.env[ADAPTER_IS_SET]) runAgain(precision);
  const { openWebGpuDevice } = await import("../../lib/compute/webgpu/webgpu_device.ts");
  const opened = await openWebGpuDevice({ allowSoftware: isSoftware, precision });
  if (!opened.ok) {
    throw new Error(`Cannot compare on webgpu (${adapter}, ${precision}): ${opened.reason}, ${opened.remedy}`);
  }
  return opened.device;
}

function runAgain(precision: Precision): never {
  const found = precision === "f16" ? lavapipeEnv() : softwareAdapterEnv();
  if (!found.ok) {
    throw new Error(
      `Cannot compare on webgpu (software, ${precision}): ${found.reason}; ${found.remedy}, or take the GPU with --adapter gpu`,
    );
  }
  const env = { ...process.env, ...found.env, [ADAPTER_IS_SET]: "1" };
  const [, script, ...rest] = process.argv;
  const before = "Deno" in globalThis ? ["run", "-A"] : process.execArgv;
  const child = spawnSync(process.execPath, [...before, script, ...rest], { env, stdio: "inherit" });
  process.exit(child.status ?? 1);
}
